//! Lays out charts and draws them as SVG.

use plotters::prelude::*;

use super::canvas::{Area, DrawingError, HPos, cut, draw_text, svg};
use super::frame::{Frame, TICK_HEIGHT, TICK_WIDTHS};
use super::legend::Legend;
use super::look::{Looks, has_own_look, with_dashes};
use super::scale::AxisScale;
use super::series::{Shifts, draw_series};
use super::{Chart, Panel, Series, SeriesStyle};

/// Sizes in pixels. Pictures are narrow, so that telephones show them with letters that can be read.
const WIDTH: i32 = 560;
const MARGIN: i32 = 12;
const TITLE_HEIGHT: i32 = 30;
const TITLE: i32 = 18;
const NOTE_HEIGHT: i32 = 24;
const NOTE: i32 = 13;
const PANEL_TITLE_HEIGHT: i32 = 26;
const PANEL_TITLE: i32 = 15;
const ROW: i32 = 22;

/// Between the ends of an axis and the outermost marks.
const EDGE: i32 = 5;

/// Heights of the axes of a panel that is alone, one of several, and one of many.
const PLOT: i32 = 290;
const SMALL_PLOT: i32 = 240;
const SMALLEST_PLOT: i32 = 190;

/// More panels than this stand in two columns.
const MAX_IN_COLUMN: usize = 3;

const INTERVALS: &str = "Bars are 95 % intervals.";

/// A panel and how it is drawn.
struct PlacedPanel<'p> {
    panel: &'p Panel,
    looks: &'p Looks,
    /// Its own, if the chart has none.
    legend: Option<Legend>,
    plot: i32,
}

impl<'p> PlacedPanel<'p> {
    fn new(
        panel: &'p Panel,
        looks: &'p Looks,
        has_legend: bool,
        (width, plot): (i32, i32),
    ) -> PlacedPanel<'p> {
        let plot = if panel.rows.is_empty() { plot } else { ROW * panel.rows.len() as i32 };
        let legend = has_legend.then(|| Legend::new(looks.of(&panel.series), width));
        PlacedPanel { panel, looks, legend, plot }
    }

    fn height(&self) -> i32 {
        self.top() + self.plot + Frame::height_around(self.panel)
    }

    /// The height of title and legend.
    fn top(&self) -> i32 {
        let title = if self.panel.title.is_empty() { 0 } else { PANEL_TITLE_HEIGHT };
        title + self.legend.as_ref().map_or(0, Legend::height)
    }

    /// Draws it in an area. Panels that show the same quantity of the same series have the same axis.
    fn draw(&self, area: &Area<'_>, all: &'p [Panel]) -> Result<(), DrawingError> {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let place = (width / 2, PANEL_TITLE_HEIGHT / 2);
        let title = cut(&self.panel.title, PANEL_TITLE, width);
        draw_text(area, &title, place, (PANEL_TITLE, HPos::Center, BLACK))?;
        if let Some(legend) = &self.legend {
            let top = self.top() - legend.height();
            legend.draw(&area.clone().shrink((0, top), (width as u32, legend.height() as u32)))?;
        }
        let Panel { x, y, series, rows, .. } = self.panel;
        let names = |panel: &'p Panel| {
            panel.series.iter().filter(|one| has_own_look(one)).map(|one| &one.name)
        };
        let is_alike = |other: &&'p Panel| {
            (&other.y.name, other.y.is_logarithmic) == (&y.name, y.is_logarithmic)
                && names(other).any(|name| names(self.panel).any(|own| own == name))
        };
        let alike = all.iter().filter(is_alike).chain([self.panel]);
        let ys = alike.flat_map(|panel| &panel.series).flat_map(Series::ys);
        let xs = series.iter().flat_map(Series::xs);
        let has_bars = series.iter().any(|series| matches!(series.style, SeriesStyle::Bars(_)));
        let scales = if rows.is_empty() {
            let high = (self.plot / TICK_HEIGHT) as usize;
            let x = horizontal_scale(&xs.collect::<Vec<_>>(), x.is_logarithmic, width);
            [x, AxisScale::new(ys, y.is_logarithmic, has_bars, high)]
        } else {
            // The names of the rows take up to half the width.
            let y = horizontal_scale(&ys.collect::<Vec<_>>(), y.is_logarithmic, width / 2);
            [AxisScale::of_rows(rows.len()), y]
        };
        let series = self.looks.of(series);
        let shifts = Shifts::new(self.panel, &series);
        let places = [self.top(), shifts.max() + EDGE];
        let frame = Frame::new(self.panel, scales, (width, height), places);
        frame.draw(area)?;
        draw_series(area, &frame, &series, &shifts)
    }
}

/// A scale with as many ticks as their labels leave space for.
fn horizontal_scale(values: &[f64], is_logarithmic: bool, width: i32) -> AxisScale {
    let scale = |distance: i32| {
        let max_ticks = (width / distance) as usize;
        AxisScale::new(values.iter().copied(), is_logarithmic, false, max_ticks)
    };
    let fits = |&distance: &i32| Frame::widest_label(&scale(distance)) < distance;
    scale(TICK_WIDTHS.into_iter().find(fits).unwrap_or(width))
}

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> anyhow::Result<String> {
        let columns = if self.panels.len() > MAX_IN_COLUMN { 2 } else { 1 };
        let inner = WIDTH - 2 * MARGIN;
        let cell = (inner - (columns as i32 - 1) * MARGIN) / columns as i32;
        let plot = match self.panels.len() {
            0 | 1 => PLOT,
            panels if panels <= MAX_IN_COLUMN => SMALL_PLOT,
            _ => SMALLEST_PLOT,
        };
        // One legend, unless there are not enough looks.
        let shared = Looks::new(&self.panels);
        let is_shared = shared.are_distinct();
        let looks: Vec<Looks> = self
            .panels
            .iter()
            .map(|panel| if is_shared { shared.clone() } else { Looks::new([panel]) })
            .collect();
        let entries = self.panels.iter().zip(&looks).filter(|_| is_shared);
        let legend = Legend::new(entries.flat_map(|(panel, looks)| looks.of(&panel.series)), inner);
        let panels = self.panels.iter().zip(&looks);
        let panels: Vec<PlacedPanel> = panels
            .map(|(panel, looks)| PlacedPanel::new(panel, looks, !is_shared, (cell, plot)))
            .collect();
        let heights = panels.chunks(columns).map(|row| row.iter().map(PlacedPanel::height).max());
        let heights: Vec<i32> = heights.map(Option::unwrap_or_default).collect();

        let note = self.note();
        let note_height = if note.is_empty() { 0 } else { NOTE_HEIGHT };
        let top = MARGIN + TITLE_HEIGHT + note_height;
        let height = top + legend.height() + heights.iter().sum::<i32>() + MARGIN;
        let drawn = svg(&self.title, (WIDTH, height), |area| {
            let place = (WIDTH / 2, MARGIN + TITLE_HEIGHT / 2);
            draw_text(area, &cut(&self.title, TITLE, inner), place, (TITLE, HPos::Center, BLACK))?;
            let place = (WIDTH / 2, MARGIN + TITLE_HEIGHT + NOTE_HEIGHT / 2);
            draw_text(area, &cut(&note, NOTE, inner), place, (NOTE, HPos::Center, BLACK))?;
            let part = |left: i32, top: i32, width: i32, height: i32| {
                area.clone().shrink((left, top), (width as u32, height as u32))
            };
            legend.draw(&part(MARGIN, top, inner, legend.height()))?;
            let mut top = top + legend.height();
            for (row, &height) in panels.chunks(columns).zip(&heights) {
                for (column, panel) in (0..).zip(row) {
                    let left = MARGIN + column * (cell + MARGIN);
                    panel.draw(&part(left, top, cell, height), &self.panels)?;
                }
                top += height;
            }
            Ok(())
        });
        Ok(with_dashes(&drawn?))
    }

    /// The line below the title.
    fn note(&self) -> String {
        let points = self.panels.iter().flat_map(|panel| &panel.series).flat_map(|one| &one.points);
        let intervals = points.into_iter().any(|point| point.interval.is_some());
        let parts = [self.note.as_str(), if intervals { INTERVALS } else { "" }];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Panel {
    /// This panel as the text of an SVG file of its own.
    pub fn svg(&self) -> anyhow::Result<String> {
        let looks = Looks::new([self]);
        let inner = WIDTH - 2 * MARGIN;
        let placed = PlacedPanel::new(self, &looks, true, (inner, PLOT));
        let height = placed.height();
        let drawn = svg(&self.title, (WIDTH, height + 2 * MARGIN), |area| {
            let part = area.clone().shrink((MARGIN, MARGIN), (inner as u32, height as u32));
            placed.draw(&part, std::slice::from_ref(self))
        });
        Ok(with_dashes(&drawn?))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Point;
    use super::super::canvas::text_width;
    use super::super::look::COLOURS;
    use super::*;

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
        places
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
        let published =
            Series::new("published", SeriesStyle::Published, [(1.0, 11.0), (2.0, 19.0)]);
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
    fn pages_scale_pictures_and_screen_readers_read_their_titles() -> anyhow::Result<()> {
        for chart in charts() {
            let svg = chart.svg()?;
            let root = elements(&svg, "svg")[0];
            assert_eq!((attribute(root, "width"), attribute(root, "role")), ("", "img"), "{root}");
            assert_eq!(numbers(attribute(root, "viewBox")).len(), 4);
            assert!(svg.contains(&format!("<title>{}</title>", chart.title)));
        }
        Ok(())
    }

    #[test]
    fn everything_lies_within_the_view_box() -> anyhow::Result<()> {
        for chart in charts() {
            let svg = chart.svg()?;
            let view_box = numbers(attribute(elements(&svg, "svg")[0], "viewBox"));
            let (width, height) = (view_box[2], view_box[3]);
            for [x, y] in places(&svg) {
                assert!(
                    (0.0..=width).contains(&x) && (0.0..=height).contains(&y),
                    "{x}, {y}: {svg}"
                );
            }
            for text in svg.split("<text ").skip(1) {
                let (element, rest) = text.split_once('>').unwrap_or_default();
                let text = rest.split('<').next().unwrap_or_default().trim();
                let size = numbers(attribute(element, "font-size"))[0].round() as i32;
                let wide = f64::from(text_width(text, size));
                let (x, y) =
                    (numbers(attribute(element, "x"))[0], numbers(attribute(element, "y"))[0]);
                let left = match attribute(element, "text-anchor") {
                    "middle" => x - wide / 2.0,
                    "end" => x - wide,
                    _ => x,
                };
                assert!(left >= 0.0 && left + wide <= width, "{text}: {left} to {}", left + wide);
                assert!(
                    y >= f64::from(size) / 2.0 && y + f64::from(size) / 2.0 <= height,
                    "{text}: {y}"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn every_colour_is_of_the_palette() -> anyhow::Result<()> {
        let palette = COLOURS.map(|RGBColor(r, g, b)| format!("#{r:02X}{g:02X}{b:02X}"));
        for chart in charts() {
            let svg = chart.svg()?;
            for part in
                ["fill=\"", "stroke=\""].into_iter().flat_map(|name| svg.split(name).skip(1))
            {
                let colour = part.split('"').next().unwrap_or_default().to_owned();
                let is_plain = ["none", "#FFFFFF", "#000000"].contains(&colour.as_str());
                assert!(is_plain || palette.contains(&colour), "{colour}");
            }
        }
        Ok(())
    }

    #[test]
    fn intervals_are_drawn_from_end_to_end() -> anyhow::Result<()> {
        let bars = |series: Vec<Series>| -> anyhow::Result<Vec<(f64, f64)>> {
            let svg = Panel::new("", ["", ""], series).svg()?;
            let RGBColor(r, g, b) = COLOURS[0];
            let stroke = format!("#{r:02X}{g:02X}{b:02X}");
            let is_thin = |element: &&str| {
                attribute(element, "stroke") == stroke && attribute(element, "stroke-width") == "1"
            };
            let lines = elements(&svg, "polyline").into_iter().filter(is_thin);
            let ys = lines.map(|line| {
                let points = numbers(attribute(line, "points"));
                (points[1], points[3])
            });
            Ok(ys.collect())
        };
        // A bar with two ends for each of three points.
        let drawn = bars(measured(1))?;
        assert_eq!(drawn.len(), 3 * 3, "{drawn:?}");
        for bar in drawn.chunks(3) {
            assert!(bar[0].0 > bar[0].1, "{bar:?}");
            assert_eq!([bar[1], bar[2]], [(bar[0].0, bar[0].0), (bar[0].1, bar[0].1)]);
        }
        let without = measured(1).into_iter().map(|mut series| {
            series.points.iter_mut().for_each(|point| point.interval = None);
            series
        });
        assert_eq!(bars(without.collect())?, []);
        Ok(())
    }

    #[test]
    fn published_values_have_hollow_marks_around_ours() -> anyhow::Result<()> {
        let ours = Series::line("ours", [(1.0, 10.0), (2.0, 20.0)]);
        let theirs = Series::new("theirs", SeriesStyle::Published, [(1.0, 10.0), (2.0, 20.0)]);
        let svg = Panel::new("", ["", ""], [ours, theirs]).svg()?;
        let circles = elements(&svg, "circle");
        let (hollow, filled): (Vec<&str>, Vec<&str>) =
            circles.into_iter().partition(|circle| attribute(circle, "fill") == "none");
        // Two points and a sample in the legend.
        assert_eq!((hollow.len(), filled.len()), (3, 3), "{svg}");
        for (hollow, filled) in hollow[1..].iter().zip(&filled[1..]) {
            assert_eq!(attribute(hollow, "cx"), attribute(filled, "cx"));
            assert_eq!(attribute(hollow, "cy"), attribute(filled, "cy"));
            assert!(numbers(attribute(hollow, "r")) > numbers(attribute(filled, "r")));
        }
        Ok(())
    }

    #[test]
    fn eight_series_differ_in_colour_and_mark_and_neighbours_in_dashes() -> anyhow::Result<()> {
        let svg = Panel::new("", ["", ""], measured(8)).svg()?;
        let lines = elements(&svg, "polyline").into_iter();
        let lines = lines.filter(|line| attribute(line, "stroke-width") == "2").take(8);
        let strokes: Vec<[&str; 2]> = lines
            .map(|line| ["stroke", "stroke-dasharray"].map(|name| attribute(line, name)))
            .collect();
        let colours: BTreeSet<&str> = strokes.iter().map(|[colour, _]| *colour).collect();
        assert_eq!(colours.len(), 8);
        assert!(strokes.windows(2).all(|pair| pair[0][1] != pair[1][1]), "{strokes:?}");
        // The shapes of the samples, from their first corner.
        let marks = elements(&svg, "polygon").into_iter().take(7).map(|mark| {
            let points = numbers(attribute(mark, "points"));
            let corners = points.chunks(2).map(|p| [p[0] - points[0], p[1] - points[1]]);
            corners.map(|corner| corner.map(|number| number as i64)).collect()
        });
        assert_eq!(marks.collect::<BTreeSet<Vec<[i64; 2]>>>().len(), 7);
        Ok(())
    }
}
