//! The elements of charts: their places, colours, marks and texts.

use std::collections::BTreeSet;

use kalah_charts::drawing::text_width;
use kalah_charts::{COLOURS, Chart, Panel, Point, Series, SeriesStyle};

/// The attributes of the elements with this name.
fn elements<'s>(svg: &'s str, name: &str) -> Vec<&'s str> {
    let start = format!("<{name} ");
    let rest = svg.split(&start).skip(1);
    rest.filter_map(|rest| rest.split_once('>').map(|(attributes, _)| attributes)).collect()
}

fn attribute<'s>(element: &'s str, name: &str) -> &'s str {
    let start = format!(" {name}=\"");
    let padded = element.split_once(&start).or_else(|| element.split_once(&start[1..]));
    padded.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}

fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(f64::NAN)).collect()
}

/// The places of all elements but text.
fn places(svg: &str) -> Vec<[f64; 2]> {
    let mut places = Vec::new();
    for name in ["line", "polyline", "polygon", "rect", "circle"] {
        for element in elements(svg, name) {
            let number = |name: &str| numbers(attribute(element, name)).first().copied();
            let points = numbers(attribute(element, "points"));
            places.extend(points.chunks(2).map(|point| [point[0], point[1]]));
            for [x, y] in [["x1", "y1"], ["x2", "y2"], ["x", "y"], ["cx", "cy"]] {
                places.extend(number(x).zip(number(y)).map(|(x, y)| [x, y]));
            }
        }
    }
    for path in elements(svg, "path") {
        places.extend(mark_place(path).map_or_else(|| corners(path), |place| vec![place]));
    }
    places
}

/// The place of a mark; the other paths are intervals.
fn mark_place(path: &str) -> Option<[f64; 2]> {
    let place = attribute(path, "transform").strip_prefix("translate(")?.split_once(')')?.0;
    numbers(place).try_into().ok()
}

/// The corners of the path of an interval.
fn corners(path: &str) -> Vec<[f64; 2]> {
    let numbers = numbers(&attribute(path, "d").replace(['M', 'L'], " "));
    numbers.chunks(2).map(|corner| [corner[0], corner[1]]).collect()
}

const LONG_NAME: &str =
    "a name that is much longer than the picture is wide, with many, many words";

/// Three points with intervals for each series.
fn measured(series: usize) -> Vec<Series> {
    let number = |number: usize| number as f64;
    let one = |index: usize| {
        let points = (1..=3).map(|x| {
            let y = 10.0 * number(x) * number(index + 1);
            Point::measured(number(x), y, Some((y / 2.0, 2.0 * y)))
        });
        Series::line(format!("series {index}"), points)
    };
    (0..series).map(one).collect()
}

fn charts() -> Vec<Chart> {
    let labels = ["depth in plies", "nodes visited"];
    let published = Series::new("published", SeriesStyle::Published, [(1.0, 11.0), (2.0, 19.0)]);
    let limit = Series::new("limit", SeriesStyle::Reference, [(1.0, 5.0), (3.0, 5.0)]);
    let outline = [(1.0, 5.0), (3.0, 5.0), (3.0, 9.0), (1.0, 9.0)];
    let area = Series::new(LONG_NAME, SeriesStyle::Area, outline);
    let all = measured(8).into_iter().chain([published, limit, area]);
    let bars = Series::new("", SeriesStyle::Bars(2.0), [(-2.0, 5.0), (0.0, 7.0)]);
    let infinite = Point::measured(0.0, 1000.0, Some((f64::NEG_INFINITY, f64::INFINITY)));
    let marks = [infinite, Point::measured(1.0, 0.001, Some((0.0, 1.0)))];
    let rows = Panel {
        rows: vec![LONG_NAME.to_owned(), "short".to_owned()],
        ..Panel::new("rows", ["", LONG_NAME], [Series::new("", SeriesStyle::Marks, marks)])
    };
    let many = measured(11).into_iter().map(|series| {
        let name = format!("{} {LONG_NAME}", series.name);
        Panel::new(LONG_NAME, [LONG_NAME; 2], [Series { name, ..series }])
    });
    vec![
        Chart::new("all", [Panel::new("all", labels, all).with_logarithmic_y()]),
        Chart::new(LONG_NAME, [Panel::new("bars", labels, [bars]), rows.with_logarithmic_y()]),
        Chart::new("many", many),
        Chart::new("nothing", []),
        Chart::new("no points", [Panel::new("", labels, [Series::line::<Point>("", [])])]),
    ]
}

#[test]
fn pages_scale_pictures_and_screen_readers_read_their_titles() {
    for chart in charts() {
        let svg = chart.svg();
        let root = elements(&svg, "svg")[0];
        assert_eq!((attribute(root, "width"), attribute(root, "role")), ("", "img"), "{root}");
        assert_eq!(numbers(attribute(root, "viewBox")).len(), 4);
        assert!(svg.contains(&format!("<title>{}</title>", chart.title)));
    }
}

/// The parts of a picture with their places: what is above the panels, and each panel.
fn parts(svg: &str) -> Vec<([f64; 2], &str)> {
    let mut parts = svg.split("<g transform=\"translate(");
    let above = parts.next().map(|above| ([0.0; 2], above));
    let panels = parts.filter_map(|part| {
        let (place, part) = part.split_once(')')?;
        Some((numbers(place).try_into().ok()?, part))
    });
    above.into_iter().chain(panels).collect()
}

#[test]
fn everything_lies_within_the_view_box() {
    for chart in charts() {
        let svg = chart.svg();
        let view_box = numbers(attribute(elements(&svg, "svg")[0], "viewBox"));
        let is_inside =
            |[x, y]: [f64; 2]| (0.0..=view_box[2]).contains(&x) && (0.0..=view_box[3]).contains(&y);
        let parts = parts(&svg);
        assert_eq!(parts.len(), 1 + chart.panels.len());
        for ([left, top], part) in parts {
            for [x, y] in places(part) {
                assert!(is_inside([left + x, top + y]), "{x}, {y}: {svg}");
            }
            for text in part.split("<text ").skip(1) {
                let (element, rest) = text.split_once('>').unwrap_or_default();
                let text = rest.split('<').next().unwrap_or_default();
                let [x, y, size] =
                    ["x", "y", "font-size"].map(|name| numbers(attribute(element, name))[0]);
                let width = f64::from(text_width(text, size as i32));
                let x = match attribute(element, "text-anchor") {
                    "middle" => x - width / 2.0,
                    "end" => x - width,
                    _ => x,
                };
                for corner in [[x, y - size / 2.0], [x + width, y + size / 2.0]] {
                    assert!(is_inside([left + corner[0], top + corner[1]]), "{text}: {svg}");
                }
            }
        }
    }
}

#[test]
fn every_colour_is_of_the_palette() {
    for svg in charts().iter().map(Chart::svg) {
        for part in ["fill=\"", "stroke=\""].iter().flat_map(|name| svg.split(name).skip(1)) {
            let colour = part.split('"').next().unwrap_or_default();
            assert!(["none", "white"].contains(&colour) || COLOURS.contains(&colour), "{colour}");
        }
    }
}

fn drawn(series: impl IntoIterator<Item = Series>) -> String {
    Chart::new("", [Panel::new("", ["", ""], series)]).svg()
}

#[test]
fn intervals_are_drawn_from_end_to_end() {
    let intervals = |svg: &str| -> Vec<Vec<[f64; 2]>> {
        let paths = elements(svg, "path").into_iter();
        paths.filter(|path| mark_place(path).is_none()).map(corners).collect()
    };
    // A bar with two ends for each of three points.
    let bars = intervals(&drawn(measured(1)));
    assert_eq!(bars.len(), 3, "{bars:?}");
    for bar in bars {
        let [[x, low], [_, high]] = [bar[0], bar[1]];
        assert!(low > high, "{bar:?}");
        let ends = [[x, low], [x, high]].map(|[x, y]| [[x - 3.0, y], [x + 3.0, y]]);
        assert_eq!(bar, [&[[x, low], [x, high]][..], &ends.concat()].concat());
    }
    let without = measured(1).into_iter().map(|mut series| {
        series.points.iter_mut().for_each(|point| point.interval = None);
        series
    });
    assert!(intervals(&drawn(without)).is_empty());
}

#[test]
fn a_line_has_few_marks() {
    for (points, marks) in [(1, 1), (16, 16), (17, 9), (48, 16)] {
        let svg = drawn([Series::line("line", (0..points).map(|x| (f64::from(x), f64::from(x))))]);
        assert_eq!(elements(&svg, "path").len(), marks, "{points} points");
    }
}

#[test]
fn published_values_have_hollow_marks_around_ours() {
    let ours = Series::line("ours", [(1.0, 10.0), (2.0, 20.0)]);
    let theirs = Series::new("theirs", SeriesStyle::Published, [(1.0, 10.0), (2.0, 20.0)]);
    let svg = drawn([ours, theirs]);
    let (hollow, filled): (Vec<&str>, Vec<&str>) =
        elements(&svg, "path").into_iter().partition(|mark| attribute(mark, "fill") == "none");
    // Two points and a sample in the legend.
    assert_eq!((hollow.len(), filled.len()), (3, 3), "{svg}");
    for (hollow, filled) in hollow[1..].iter().zip(&filled[1..]) {
        assert_eq!(mark_place(hollow), mark_place(filled));
        assert_eq!(attribute(hollow, "d"), attribute(filled, "d"));
    }
}

#[test]
fn series_differ_in_colour_and_mark_and_neighbours_in_dashes() {
    let svg = drawn(measured(16));
    let lines = elements(&svg, "polyline").into_iter().take(8);
    let dashes: Vec<&str> = lines.map(|line| attribute(line, "stroke-dasharray")).collect();
    assert!(dashes.windows(2).all(|pair| pair[0] != pair[1]), "{dashes:?}");
    // The samples of the legend.
    let marks: Vec<[&str; 2]> = elements(&svg, "path")
        .into_iter()
        .take(16)
        .map(|mark| ["fill", "d"].map(|name| attribute(mark, name)))
        .collect();
    for part in [0, 1] {
        let first: BTreeSet<&str> = marks[..8].iter().map(|mark| mark[part]).collect();
        assert_eq!(first.len(), 8, "{marks:?}");
    }
    assert_eq!(marks.iter().collect::<BTreeSet<_>>().len(), 16, "{marks:?}");
}
