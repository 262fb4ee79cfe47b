//! The chart of `kalah tune`.

use kalah::arena::{Tuning, TuningOutcome, TuningParameter};

use super::super::chart::{Chart, Panel, Series, short_name};

/// The maximum number of steps from point to point of a line.
const MAX_STEPS: usize = 60;

/// The number of colours: more lines in a panel could not be told apart.
const MAX_LINES: usize = 8;

/// The values of all parameters by iteration, as a share of their ranges.
pub(super) fn chart(tuning: &Tuning, outcome: &TuningOutcome) -> Chart {
    let numbered: Vec<_> = tuning.parameters.iter().enumerate().collect();
    let panels = numbered.chunks(MAX_LINES).map(|parameters| {
        let title = match parameters {
            [(_, only)] => label(only),
            _ => "Values by iteration".to_owned(),
        };
        let lines = parameters.iter().map(|&(number, parameter)| line(number, parameter, outcome));
        Panel::new(title, ["iterations", "share of the range in %"], lines)
    });
    Chart::new(&format!("Tuning of {}", short_name(&tuning.player.name)), panels)
}

fn label(parameter: &TuningParameter) -> String {
    format!("{}, {} to {}", short_name(&parameter.name), parameter.min, parameter.max)
}

fn line(number: usize, parameter: &TuningParameter, outcome: &TuningOutcome) -> Series {
    let done = outcome.iterations.len();
    let at = (0..done).step_by(done.div_ceil(MAX_STEPS).max(1)).chain([done]);
    let points = at.map(|iteration| {
        let above = outcome.values_after(iteration)[number] - f64::from(parameter.min);
        (iteration as f64, 100.0 * above / parameter.range())
    });
    Series::line(label(parameter), points)
}
