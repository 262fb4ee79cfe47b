//! The chart of `kalah tune`.

use kalah::arena::{Tuning, TuningOutcome};

use super::super::chart::{Chart, Panel, Series, short_name};

/// The maximum number of points of a line.
const MAX_POINTS: usize = 100;

/// The values of all parameters by iteration, as a share of their ranges.
pub(super) fn chart(tuning: &Tuning, outcome: &TuningOutcome) -> Chart {
    let done = outcome.iterations.len();
    let step = done.div_ceil(MAX_POINTS).max(1);
    let at = || (0..done).step_by(step).chain([done]);
    let series = tuning.parameters.iter().enumerate().map(|(number, parameter)| {
        let share = |iteration| {
            let value = outcome.values_after(iteration)[number];
            100.0 * (value - f64::from(parameter.min)) / parameter.range()
        };
        let name =
            format!("{}, {} to {}", short_name(&parameter.name), parameter.min, parameter.max);
        Series::line(name, at().map(|iteration| (iteration as f64, share(iteration))))
    });
    let series: Vec<Series> = series.collect();
    let title = match &series[..] {
        [only] => only.name.clone(),
        _ => "Values by iteration".to_owned(),
    };
    let panel = Panel::new(title, ["iterations", "share of the range in per cent"], series);
    Chart::new(&format!("Tuning of {}", short_name(&tuning.player.name)), [panel])
}
