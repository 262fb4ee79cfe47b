//! HTML and SVG.

/// Elements of HTML that are never closed.
const VOID: [&str; 3] = ["!DOCTYPE", "input", "meta"];

/// The same markup, in which elements of this name are empty: what they have is not HTML.
fn without(name: &str, markup: &str) -> String {
    let (start, end) = (format!("<{name}"), format!("</{name}>"));
    let mut parts = markup.split(&start);
    let before = parts.next().unwrap_or_default().to_owned();
    parts.fold(before, |kept, part| {
        let (tag, rest) = part.split_once('>').expect("a tag ends");
        let (_, rest) = rest.split_once(&end).expect("the element ends");
        format!("{kept}{start}{tag}>{end}{rest}")
    })
}

/// Requires that every tag that is opened is closed.
#[track_caller]
pub(crate) fn assert_well_formed(markup: &str) {
    let mut open = Vec::new();
    let markup = without("style", &without("script", markup));
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
