//! How quick the page of `kalah gui` is, in a browser: `cargo bench --bench page`. With `KALAH_SITE` the page without a
//! server is measured.
#![allow(missing_docs)] // a program, not a library
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // as in the tests, whose browser this is

use serde_json::{Value, json};

#[path = "../tests/support/browser.rs"]
#[allow(dead_code)]
mod browser;
#[path = "../tests/support/contest.rs"]
#[allow(dead_code)]
mod contest;
#[path = "../tests/support/gui.rs"]
#[allow(dead_code)]
mod gui;
#[path = "../tests/support/page.rs"]
#[allow(dead_code)]
mod page;
#[path = "../tests/support/session.rs"]
#[allow(dead_code)]
mod session;
#[path = "../tests/support/site.rs"]
mod site;
#[allow(dead_code)] // each measurement needs a part of it
mod support;

use browser::Browser;
use page::Play;
use support::quantile;

/// Notes each click, the frames after it until the seeds lie, and when the first of them had left its house.
const WATCH: &str = "
    self.sowings = [];
    self.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)))
        .observe({ type: 'longtask' });
    document.addEventListener('click', ({ timeStamp, target }) => {
        if (!target.closest('.house.open')) return;
        const sowing = { first: 0, frames: [] };
        sowings.push(sowing);
        const frame = (time) => {
            const isMoving = document.body.dataset.busy;
            if (isMoving && !sowing.first) {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => (sowing.first ||= performance.now() - timeStamp);
                port2.postMessage(0);
            }
            if (isMoving) sowing.frames.push(time);
            if (isMoving || !sowing.first) requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }, true);";

fn print(what: &str, unit: &str, values: &mut [f64]) {
    let count = values.len();
    let (median, p90) = (quantile(values, 0.5), quantile(values, 0.9));
    let (least, most) = (quantile(values, 0.0), quantile(values, 1.0));
    println!(
        "{what}: {count} times, {least:.0} to {most:.0} {unit}, median {median:.0}, 90 % {p90:.0}"
    );
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// First visits, each with an empty store.
fn first_visits(count: usize) -> Option<()> {
    let gui = page::start_page("");
    let (mut paints, mut ready) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let mut browser = Browser::start()?;
        let mark = "addEventListener('DOMContentLoaded', () => new MutationObserver((_, self) => {
            if (document.body.dataset.ready !== 'true') return;
            performance.mark('ready');
            self.disconnect();
        }).observe(document.body, { attributes: true }))";
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": mark}));
        browser.open(&page::url(&gui));
        let time = |name| format!("performance.getEntriesByName('{name}')[0].startTime");
        browser.wait(&time("first-contentful-paint"));
        paints.extend(browser.run(&time("first-contentful-paint")).as_f64());
        ready.extend(browser.run(&time("ready")).as_f64());
    }
    print("first paint", "ms", &mut paints);
    print("start can be used", "ms", &mut ready);
    Some(())
}

/// Sows a game of two persons by clicks.
fn sowings(count: usize, fields: &[(&str, &str)]) -> Option<()> {
    let mut play = Play::start()?;
    play.new_game(fields);
    play.browser.run(WATCH);
    for turn in 0..count {
        play.browser.wait("!document.body.dataset.busy");
        let open = play
            .browser
            .run("[...document.querySelectorAll('.house.open')].map((house) => house.dataset.pit)");
        let open = open.as_array()?;
        if open.is_empty() {
            play.new_game(fields);
            continue;
        }
        let house = &open[turn % open.len()];
        play.browser.click(&format!("[data-pit={}]", house.as_str()?));
        play.browser.wait("sowings.at(-1)?.first && !document.body.dataset.busy");
    }
    let mut firsts = numbers(&play.browser.run("sowings.map((sowing) => sowing.first)"));
    print("click to the first seed", "ms", &mut firsts);
    let mut rates = numbers(&play.browser.run(
        "sowings.filter((each) => each.frames.length > 9).map(({ frames }) => 1000 * (frames.length - 1) / (frames.at(-1) - frames[0]))",
    ));
    print("frames while sowing", "a second", &mut rates);
    let mut tasks = numbers(&play.browser.run("tasks"));
    tasks.push(0.0);
    println!(
        "tasks of 50 ms and more: {}, the longest {:.0} ms",
        tasks.len() - 1,
        quantile(&mut tasks, 1.0)
    );
    Some(())
}

/// Milliseconds from `stop` to `bestmove`, and from the end of a move's time.
const STOPS: &str = "
    await send('setoption name OwnBook value false');
    await send('setoption name Seeds value 6');
    const [stops, overruns] = [[], []];
    for (let i = 0; i < 300; i++) {
        await send('position startpos moves ' + ['', 'A', 'C', 'D', 'FE'][i % 5]);
        await send('go infinite');
        await wait('info depth ' + (1 + i % 12));
        // Not always just after a depth.
        await new Promise((resolve) => setTimeout(resolve, i % 40));
        const start = performance.now();
        await send('stop');
        await wait('bestmove ');
        stops.push(performance.now() - start);
    }
    for (let i = 0; i < 60; i++) {
        const time = [20, 100, 200][i % 3];
        await send('position startpos moves ' + ['', 'A', 'C', 'D', 'FE'][i % 5]);
        const start = performance.now();
        await send('go movetime ' + time);
        await wait('bestmove ');
        overruns.push(performance.now() - start - time);
    }
    return JSON.stringify([stops, overruns]);";

/// The engine of a page without a server, without and with memory that its threads share.
fn engine() -> Option<()> {
    let mut play = Play::start()?;
    for memory in ["without shared memory", "with shared memory"] {
        println!("the engine {memory}:");
        let times: Value = serde_json::from_str(&play.with_engine(STOPS)).ok()?;
        print("stop to bestmove", "ms", &mut numbers(&times[0]));
        print("longer than its time", "ms", &mut numbers(&times[1]));
        play.visit_again();
    }
    Some(())
}

fn main() {
    let measured = first_visits(10).and_then(|()| {
        println!("Kalah(6,4):");
        let persons = [("south-seat", "person"), ("north-seat", "person")];
        sowings(30, &persons)?;
        println!("12 houses, 42 seeds each:");
        sowings(10, &[&persons[..], &[("houses", "12"), ("seeds", "42")]].concat())?;
        if page::has_server() { Some(()) } else { engine() }
    });
    if measured.is_none() {
        println!("nothing was measured: there is no browser");
    }
}
