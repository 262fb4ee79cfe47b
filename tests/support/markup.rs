//! HTML and SVG.

/// Elements of HTML that are never closed.
const VOID: [&str; 2] = ["!DOCTYPE", "meta"];

/// The same markup with empty scripts.
fn without_scripts(markup: &str) -> String {
    let mut parts = markup.split("<script");
    let before = parts.next().unwrap_or_default().to_owned();
    parts.fold(before, |kept, part| {
        let (tag, rest) = part.split_once('>').expect("a tag ends");
        let (_, rest) = rest.split_once("</script>").expect("a script ends");
        format!("{kept}<script{tag}></script>{rest}")
    })
}

/// Requires that every tag that is opened is closed.
#[track_caller]
pub(crate) fn assert_well_formed(markup: &str) {
    let mut open = Vec::new();
    let markup = without_scripts(markup);
    for tag in markup.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{text}");
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') || VOID.contains(&name) => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}
