//! The page of `kalah gui` in a browser, and what a player does with it.

use kalah::Side;
use kalah::Solver;
use kalah::board::Board;
use kalah::solve::SolverResources;
use serde_json::json;

use crate::browser::Browser;
use crate::gui::Gui;
use crate::site;

/// A server and a browser with its page.
pub(crate) struct Play {
    pub(crate) gui: Gui,
    pub(crate) browser: Browser,
}

impl Play {
    pub(crate) fn start() -> Option<Play> {
        Play::start_with("")
    }

    /// A page that moves seeds at once.
    pub(crate) fn start_at_once() -> Option<Play> {
        let mut browser = Browser::start()?;
        let source = format!("localStorage.getItem('kalah-settings') ?? {AT_ONCE}");
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}));
        Some(Play::open(browser, ""))
    }

    pub(crate) fn start_with(arguments: &str) -> Option<Play> {
        Some(Play::open(Browser::start()?, arguments))
    }

    fn open(mut browser: Browser, arguments: &str) -> Play {
        let gui = start_page(arguments);
        // Tests end workers as they end processes.
        let source = "self.workers = []; self.Worker = class extends Worker { constructor(...all) { super(...all); workers.push(this); } };";
        browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": source}));
        open_board(&mut browser, &gui);
        Play { gui, browser }
    }

    /// Begins a game; fields of the dialog by their ids.
    #[track_caller]
    pub(crate) fn new_game(&mut self, fields: &[(&str, &str)]) {
        let Play { browser, .. } = self;
        browser.click("#open-new");
        browser.wait("document.getElementById('new-dialog').open");
        for (id, value) in fields {
            browser.fill(&format!("#{id}"), value);
        }
        browser.click("#start");
        browser.wait(
            "!document.getElementById('new-dialog').open && document.body.dataset.live === 'true'",
        );
    }

    /// Shows this board and nothing else.
    #[track_caller]
    pub(crate) fn set_up(&mut self, board: &str) {
        let Play { browser, .. } = self;
        browser.click("#open-setup");
        browser.fill("#setup-text", board);
        // The fields follow the text; then nothing moves any more.
        let houses = board.trim_start_matches('<').split(',').next().unwrap();
        browser.wait(&format!("document.getElementById('setup-houses').value === '{houses}'"));
        browser.wait(&format!(
            "document.querySelectorAll('#setup-pits input').length === 2 * {houses} + 2"
        ));
        browser.click("#setup-ok");
        browser.wait("!document.getElementById('setup-dialog').open");
        let fen = json!(board);
        browser.wait(&format!("{BOARD} === {fen}"));
    }

    /// Opens a text in the dialog "Games".
    #[track_caller]
    pub(crate) fn open_text(&mut self, text: &str) {
        let Play { browser, .. } = self;
        browser.click("#open-share");
        // The text of the game on the board is filled in.
        browser.wait("document.getElementById('share-text').value");
        browser.fill("#share-text", text);
        browser.click("#share-open");
        browser.wait("!document.getElementById('share-dialog').open");
    }

    pub(crate) fn board(&mut self) -> String {
        self.browser.run(BOARD).as_str().unwrap().to_owned()
    }

    pub(crate) fn moves(&mut self) -> String {
        let text = self.browser.run(
            "[...document.querySelectorAll('#moves .turns > span > button.move')].map((e) => e.textContent).join('')",
        );
        text.as_str().unwrap().to_owned()
    }

    /// Clicks a house, and waits until its seeds are sown.
    #[track_caller]
    pub(crate) fn sow(&mut self, house: &str) {
        self.browser.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
        let before = self.moves();
        self.browser.click(&format!("[data-pit={house}]"));
        let count = "document.querySelectorAll('#moves button.move').length";
        self.browser.wait(&format!("{count} > {}", before.len()));
        self.browser.wait("!document.body.dataset.busy");
    }

    /// Clicks a house of a question, where moves are not written down.
    #[track_caller]
    pub(crate) fn sow_task(&mut self, house: &str) {
        self.browser.wait(&format!("document.querySelector('.house.open[data-pit={house}]')"));
        self.browser.click(&format!("[data-pit={house}]"));
    }

    /// Loads a page without a server again: what answers is its service worker.
    pub(crate) fn visit_again(&mut self) {
        self.browser.run(AT_ONCE);
        self.browser.run("navigator.serviceWorker.ready.then(() => 0)");
        self.browser.reload();
        assert_eq!(self.browser.run("crossOriginIsolated"), true);
    }

    /// Speaks to an engine of a page without a server; the text that `script` returns.
    pub(crate) fn with_engine(&mut self, script: &str) -> String {
        let answer = self.browser.run(&format!(
            "(async () => {{
                const {{ Workers }} = await import('./workers.js');
                const workers = new Workers();
                let lines = [], wake = () => {{}};
                workers.on('lines', (message) => (lines.push(...message.lines), wake()));
                const send = (line) => workers.request('send', {{ name: 'one', line }});
                const wait = async (start) => {{
                    for (;;) {{
                        const place = lines.findIndex((line) => line.startsWith(start));
                        if (place >= 0) return lines.splice(0, place + 1).at(-1);
                        await new Promise((resolve) => (wake = resolve));
                    }}
                }};
                await workers.request('start', {{ engine: 0, name: 'one' }});
                {script}
            }})()"
        ));
        answer.as_str().unwrap_or_default().to_owned()
    }

    /// Checks what must hold at the end of each test.
    #[track_caller]
    pub(crate) fn check(mut self) {
        self.browser.run("1");
        assert_eq!(self.browser.complaints, Vec::<String>::new());
        for request in &self.browser.requests {
            let (_, rest) = request.split_once("://").unwrap_or((request, ""));
            let is_own =
                rest.starts_with(&self.gui.host) || request.starts_with("blob:http://127.");
            assert!(is_own || request == "about:blank", "{request}");
        }
    }
}

/// A server of the page; with `KALAH_SITE` the page comes from plain files, and the server only has a folder.
pub(crate) fn start_page(arguments: &str) -> Gui {
    let mut gui = Gui::start(arguments);
    if let Some(host) = site::host() {
        host.clone_into(&mut gui.host);
    }
    gui
}

/// Whether the pages of these tests have a server. If not, the test that asks is left out.
pub(crate) fn has_server() -> bool {
    site::host().is_none()
}

/// Opens the page and goes on from its start to the board.
#[track_caller]
pub(crate) fn open_board(browser: &mut Browser, gui: &Gui) {
    browser.open(&url(gui));
    browser.wait("'home' in document.body.dataset");
    browser.key("Escape");
    browser.wait("!('home' in document.body.dataset) && document.querySelector('#board .house')");
}

pub(crate) fn url(gui: &Gui) -> String {
    format!("http://{}/?token={}", gui.host, gui.token)
}

/// The board that is shown, as text.
pub(crate) const BOARD: &str = "(() => {
    const seeds = (pit) => document.querySelector(`#board [data-pit='${pit}']`).dataset.seeds;
    const row = (letters) => [...letters].map(seeds);
    const houses = document.querySelectorAll('#board .house').length / 2;
    const fields = [houses, seeds('+'), seeds('-'), ...row('ABCDEFGHIJKL'.slice(0, houses)), ...row('abcdefghijkl'.slice(0, houses))];
    return `<${fields.join(',')}> ${document.body.dataset.turn || 'S'}`;
})()";

pub(crate) const AT_ONCE: &str =
    "localStorage.setItem('kalah-settings', JSON.stringify({ speed: 0 }))";

/// The values of all moves, for South.
pub(crate) fn values(board: &Board) -> Vec<(kalah::Move, i32)> {
    let mut solver = Solver::new(SolverResources { mebibytes: 16, ..SolverResources::default() });
    let value = |mv| {
        let mut after = *board;
        after.play(mv).unwrap();
        let sign = if after.side() == Side::South { 1 } else { -1 };
        let value = after.result().unwrap_or_else(|| sign * solver.solve(&after).unwrap().margin);
        (mv, value)
    };
    board.moves().map(value).collect()
}
