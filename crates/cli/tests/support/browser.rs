//! A real browser without a window, driven by the `DevTools` protocol.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Far more than anything takes.
const DEADLINE: Duration = Duration::from_mins(2);

/// The first is the others without their windows, and starts and draws in less time.
const PROGRAMS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"];

/// A page is ready when its start or its board is drawn; a report has none.
const READY: &str = "document.body?.dataset.ready === 'true' && ('home' in document.body.dataset \
    || !document.getElementById('home') || document.querySelector('#board .house'))";

/// Waits for the next frame, or for 100 milliseconds where nothing is drawn.
const FRAME: &str =
    "await new Promise((then) => { requestAnimationFrame(then); setTimeout(then, 100) })";

/// A stream that reads on after a signal, which ends any read with a timeout.
struct Uninterrupted(TcpStream);

impl Read for Uninterrupted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

impl Write for Uninterrupted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The program, which the tests that run at the same time share.
struct Program {
    process: Child,
    /// The address for commands.
    url: String,
    _profile: TempDir,
}

static RUNNING: Mutex<Weak<Program>> = Mutex::new(Weak::new());

impl Drop for Program {
    fn drop(&mut self) {
        // What was started may be a script that starts the browser, which a signal would not reach.
        if let Some(mut socket) = self.connect() {
            let _ = socket.send(Message::text(r#"{"id": 1, "method": "Browser.close"}"#));
            while socket.read().is_ok() {}
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Program {
    /// A connection for commands, unless the browser has ended.
    fn connect(&self) -> Option<WebSocket<Uninterrupted>> {
        let host = self.url.strip_prefix("ws://")?.split('/').next()?;
        let stream = TcpStream::connect(host).ok()?;
        stream.set_read_timeout(Some(DEADLINE)).ok()?;
        let (socket, _) = tungstenite::client(self.url.as_str(), Uninterrupted(stream)).ok()?;
        Some(socket)
    }

    /// The running program, or a new one, if this machine has one. With `KALAH_BROWSER=required` it has
    /// to.
    fn running() -> Option<Arc<Program>> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = running.upgrade() {
            return Some(program);
        }
        let is_required = std::env::var("KALAH_BROWSER").is_ok_and(|value| value == "required");
        let profile = TempDir::new().unwrap();
        let started = PROGRAMS.iter().find_map(|program| {
            let mut command = Command::new(program);
            command.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
            command.args(["--disable-dev-shm-usage", "--disable-background-networking"]);
            command.args(["--disable-component-update", "--disable-default-apps", "--mute-audio"]);
            // A quarter of the processor time: scripts that run once are not optimised, and no process
            // waits for a page or draws for the others.
            command.args(["--js-flags=--no-opt --no-maglev", "--in-process-gpu"]);
            command.arg("--disable-features=SpareRendererForSitePerProcess");
            // Whatever this machine speaks.
            command.args(["--lang=en-US", "--accept-lang=en-US"]);
            // No page is in front of another.
            command.args([
                "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
            ]);
            command.args(["--disable-background-timer-throttling", "--remote-debugging-port=0"]);
            command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            command.spawn().ok()
        });
        let Some(mut process) = started else {
            assert!(!is_required, "there is no browser: {PROGRAMS:?}");
            eprintln!("not tested: there is no browser on this machine");
            return None;
        };
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let url = lines
            .find_map(|line| line.ok()?.strip_prefix("DevTools listening on ").map(str::to_owned));
        let url = url.expect("the browser has ended");
        // Its pipe must not fill.
        std::thread::spawn(move || lines.for_each(drop));
        let program = Arc::new(Program { process, url, _profile: profile });
        *running = Arc::downgrade(&program);
        Some(program)
    }
}

/// A browser with one page, and storage of its own.
pub(crate) struct Browser {
    socket: WebSocket<Uninterrupted>,
    next: u64,
    /// The session of the page within the connection.
    page: String,
    /// What the page complained of.
    pub(crate) complaints: Vec<String>,
    /// All addresses that it asked for.
    pub(crate) requests: Vec<String>,
    _program: Arc<Program>,
}

impl Browser {
    /// A browser, if this machine has one.
    pub(crate) fn start() -> Option<Browser> {
        let program = Program::running()?;
        let mut browser = Browser {
            socket: program.connect().expect("the browser has ended"),
            next: 1,
            page: String::new(),
            complaints: Vec::new(),
            requests: Vec::new(),
            _program: program,
        };
        let storage = browser.call("Target.createBrowserContext", json!({"disposeOnDetach": true}));
        let target = json!({"url": "about:blank", "newWindow": true, "browserContextId": storage["browserContextId"]});
        let target = browser.call("Target.createTarget", target);
        let session = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", session);
        session["sessionId"].as_str().unwrap().clone_into(&mut browser.page);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        browser.resize(1440, 900);
        Some(browser)
    }

    /// The result of a command of the protocol.
    #[track_caller]
    #[allow(clippy::needless_pass_by_value, reason = "a value is made for each call")]
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The result of a command of the protocol, or what the browser says against it.
    #[allow(clippy::needless_pass_by_value, reason = "a value is made for each call")]
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        let id = self.next;
        self.next += 1;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !self.page.is_empty() {
            message["sessionId"] = json!(self.page);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let mut reply: Value = serde_json::from_str(&text).unwrap();
            if reply["id"] == json!(id) {
                return match reply["error"].take() {
                    Value::Null => Ok(reply["result"].take()),
                    error => Err(error),
                };
            }
            self.note(&reply);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str().unwrap_or("") {
            "Runtime.exceptionThrown" => {
                self.complaints.push(parameters["exceptionDetails"].to_string());
            }
            "Runtime.consoleAPICalled" if parameters["type"] != "log" => {
                self.complaints.push(parameters["args"].to_string());
            }
            "Log.entryAdded" if parameters["entry"]["level"] == "error" => {
                self.complaints.push(parameters["entry"].to_string());
            }
            "Network.requestWillBeSent" => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap().to_owned());
            }
            "Network.webSocketCreated" => {
                self.requests.push(parameters["url"].as_str().unwrap().to_owned());
            }
            _ => {}
        }
    }

    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
        // The page is laid out anew.
        self.run(&format!("(async () => {{ {FRAME}; {FRAME} }})()"));
    }

    /// Sets a feature of CSS media queries, such as `prefers-color-scheme`.
    pub(crate) fn prefer(&mut self, features: &[(&str, &str)]) {
        let features = features.iter().map(|(name, value)| json!({"name": name, "value": value}));
        let features: Vec<Value> = features.collect();
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Opens an address, and waits until the page of `kalah gui` is ready.
    #[track_caller]
    pub(crate) fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        self.wait(READY);
    }

    #[track_caller]
    pub(crate) fn reload(&mut self) {
        // The mark tells the old page from the new one.
        self.run("delete document.body.dataset.ready");
        self.call("Page.reload", json!({}));
        self.wait(READY);
    }

    /// The value of a JavaScript expression, which may be a promise.
    #[track_caller]
    pub(crate) fn run(&mut self, expression: &str) -> Value {
        let evaluation =
            json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.call("Runtime.evaluate", evaluation);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].take()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&mut self, condition: &str) {
        let start = Instant::now();
        let test = format!(
            "(() => {{ try {{ return Boolean({condition}) }} catch {{ return false }} }})()"
        );
        loop {
            // While a page is being replaced there is nothing to evaluate in.
            let evaluation = json!({"expression": test, "returnByValue": true});
            let result = self.try_call("Runtime.evaluate", evaluation);
            if result.is_ok_and(|result| result["result"]["value"] == json!(true)) {
                return;
            }
            if start.elapsed() > DEADLINE {
                let page = self.run("document.body.innerText");
                panic!("not so: {condition}; {:?}; the page: {page}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.run(&format!("document.querySelector('{selector}').textContent"));
        text.as_str().unwrap_or("").to_owned()
    }

    /// Clicks into the middle of an element with the mouse, as soon as it is visible and the mouse is over it. If
    /// something else stays in front of it, that is clicked.
    #[track_caller]
    pub(crate) fn click(&mut self, selector: &str) {
        /// A page that has just been resized moves its elements a few frames later.
        const TRIES: usize = 20;
        self.wait(&format!("document.querySelector('{selector}').checkVisibility()"));
        let mut place = Value::Null;
        for _ in 0..TRIES {
            place = self.place(selector);
            self.mouse("mouseMoved", &place, 0);
            let is_over =
                self.run(&format!("document.querySelector('{selector}').matches(':hover')"));
            if is_over == true {
                break;
            }
        }
        self.mouse("mousePressed", &place, 1);
        self.mouse("mouseReleased", &place, 0);
    }

    fn mouse(&mut self, kind: &str, place: &Value, buttons: u32) {
        let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left",
            "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// The middle of an element, once it stays in its place for a frame.
    #[track_caller]
    fn place(&mut self, selector: &str) -> Value {
        self.run(&format!(
            "(async () => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'nearest'}}); \
             const middle = () => {{ const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] }}; \
             for (let before = [];;) {{ const place = middle(); if (`${{place}}` === `${{before}}`) return place; \
             before = place; {FRAME} }} }})()"
        ))
    }

    /// Presses a key, by the name that JavaScript has for it.
    pub(crate) fn key(&mut self, key: &str) {
        self.press(key, 0);
    }

    pub(crate) fn shift_key(&mut self, key: &str) {
        self.press(key, 8);
    }

    fn press(&mut self, key: &str, modifiers: u32) {
        let is_text = key.chars().count() == 1;
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "Escape" => 27,
            _ => 0,
        };
        let text = match key {
            "Enter" => "\r",
            _ if is_text => key,
            _ => "",
        };
        let down = json!({"type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Replaces the content of a field, as if it were typed.
    pub(crate) fn fill(&mut self, selector: &str, text: &str) {
        self.run(&format!(
            "(() => {{ const e = document.querySelector('{selector}'); e.value = {}; \
             for (const kind of ['input', 'change']) e.dispatchEvent(new Event(kind, {{bubbles: true}})) }})()",
            json!(text)
        ));
    }

    /// A picture of the page as PNG.
    pub(crate) fn picture(&mut self) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let digits = picture["data"].as_str().unwrap().bytes().filter_map(|digit| {
            let place = |first, base| Some(u32::from(digit - first) + base);
            match digit {
                b'A'..=b'Z' => place(b'A', 0),
                b'a'..=b'z' => place(b'a', 26),
                b'0'..=b'9' => place(b'0', 52),
                b'+' => Some(62),
                b'/' => Some(63),
                _ => None,
            }
        });
        let digits: Vec<u32> = digits.collect();
        let groups = digits.chunks(4).flat_map(|group| {
            let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit);
            let bits = bits << (6 * (4 - group.len()));
            bits.to_be_bytes()[1..group.len()].to_vec()
        });
        groups.collect()
    }
}
