//! The terminal around the state: keys and clicks in, screens out, engines and files.

use std::io::{self, Stdout, stdout};
use std::mem::{self, ManuallyDrop};
use std::panic;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use ratatui_core::terminal::Terminal;
use ratatui_crossterm::CrosstermBackend;
use ratatui_crossterm::crossterm::cursor::{Hide, Show};
use ratatui_crossterm::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
    KeyModifiers, MouseButton, MouseEventKind,
};
use ratatui_crossterm::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui_crossterm::crossterm::{execute, queue};
#[cfg(unix)]
use rustix::io::Errno;

use super::advice::{EngineRole, ProcessReport};
use super::app::{App, Effect, Prompt, Screen};
use super::engines::EngineThread;
use super::view::{self, ClickTargets, Theme};
use kalah_client::EngineCommand;
use kalah_command::exit::Interrupted;
use kalah_command::new_file::NewFile;

/// Events that are taken before the screen is drawn again.
const MAX_AT_ONCE: usize = 64;

const MAX_WAIT: Duration = Duration::from_mins(1);

enum AppEvent {
    Terminal(Event),
    Engine(EngineRole, ProcessReport),
    /// A signal, or the end of the terminal.
    End,
}

/// The terminal in the state that the program needs; restored when dropped.
struct RawTerminal;

impl RawTerminal {
    fn enter() -> io::Result<RawTerminal> {
        enable_raw_mode()?;
        let terminal = RawTerminal;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, Hide)?;
        Ok(terminal)
    }

    fn leave() {
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        RawTerminal::leave();
    }
}

fn read_terminal(sender: &Sender<AppEvent>) {
    while let Ok(event) = event::read() {
        if sender.send(AppEvent::Terminal(event)).is_err() {
            return;
        }
    }
    let _ = sender.send(AppEvent::End);
}

/// The program in the terminal, to its end. The commands are of the opponent and the adviser.
pub(super) fn run(app: App, commands: [EngineCommand; 2], theme: Theme) -> anyhow::Result<()> {
    let (sender, events) = unbounded();
    let by_signal = sender.clone();
    ctrlc::set_handler(move || {
        let _ = by_signal.send(AppEvent::End);
    })
    .map_err(|error| anyhow!("cannot start the thread that waits for signals: {error}"))?;
    let [opponent, adviser] = commands;
    let start = |role, command| {
        let sender = sender.clone();
        let report = move |report| {
            let _ = sender.send(AppEvent::Engine(role, report));
        };
        EngineThread::start(command, report).context("cannot start a thread for an engine")
    };
    let engines = [start(EngineRole::Opponent, opponent)?, start(EngineRole::Adviser, adviser)?];
    let old_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        RawTerminal::leave();
        old_hook(info);
        // The main thread unwinds and restores the rest; without another thread nothing would go on.
        if thread::current().name() != Some("main") {
            std::process::exit(101);
        }
    }));
    let raw = RawTerminal::enter().context("cannot use the terminal")?;
    // From here on, before the first screen is drawn, no change of its size is missed.
    event::poll(Duration::ZERO).context("cannot use the terminal")?;
    thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || read_terminal(&sender))
        .context("cannot start a thread for the keys")?;
    let terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(stdout()))?);
    let (targets, start) = (ClickTargets::new(), Instant::now());
    let player = TerminalPlayer { app, terminal, theme, targets, engines, start };
    let result = player.run(&events);
    drop(raw);
    result
}

struct TerminalPlayer {
    app: App,
    /// Dropping it would print an error if the terminal is gone, which panics if that is stderr, too;
    /// [`RawTerminal`] shows the cursor again.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
    theme: Theme,
    targets: ClickTargets,
    engines: [EngineThread; 2],
    start: Instant,
}

impl TerminalPlayer {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn run(mut self, events: &Receiver<AppEvent>) -> anyhow::Result<()> {
        loop {
            let now = self.now();
            self.app.update(now);
            if self.carry_out_effects() {
                return Ok(());
            }
            let now = self.now();
            self.draw(now).map_err(|error| match error.raw_os_error() {
                // The terminal is gone, and its signal is on the way.
                #[cfg(unix)]
                Some(code) if code == Errno::IO.raw_os_error() => Interrupted.into(),
                _ => anyhow::Error::from(error),
            })?;
            let next = self.app.next_change(now).unwrap_or(now + MAX_WAIT);
            let wait = next.saturating_sub(self.now()).min(MAX_WAIT);
            match events.recv_timeout(wait) {
                Ok(first) => {
                    let more = events.try_iter().take(MAX_AT_ONCE);
                    for event in std::iter::once(first).chain(more) {
                        self.take(event)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Interrupted.into()),
            }
        }
    }

    fn draw(&mut self, now: Duration) -> io::Result<()> {
        let (app, theme, targets) = (&self.app, self.theme, &mut self.targets);
        // A terminal that knows this shows the new screen at once, without a mixture on the way.
        queue!(stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| *targets = view::draw(app, theme, frame.buffer_mut(), now))?;
        execute!(stdout(), EndSynchronizedUpdate)
    }

    fn take(&mut self, event: AppEvent) -> anyhow::Result<()> {
        let now = self.now();
        let is_rules = matches!(self.app.screen, Screen::Rules(_));
        match event {
            AppEvent::End => return Err(Interrupted.into()),
            AppEvent::Engine(role, report) => self.app.engine_said(role, report, now),
            AppEvent::Terminal(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                return self.press(key, now);
            }
            AppEvent::Terminal(Event::Mouse(mouse)) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => {
                    if let Some(target) = view::target_at(&self.targets, mouse.column, mouse.row) {
                        self.app.click(target, now);
                    }
                }
                MouseEventKind::ScrollUp if is_rules => self.app.press(KeyCode::Up, now),
                MouseEventKind::ScrollDown if is_rules => self.app.press(KeyCode::Down, now),
                _ => {}
            },
            AppEvent::Terminal(_) => {}
        }
        Ok(())
    }

    fn press(&mut self, key: KeyEvent, now: Duration) -> anyhow::Result<()> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return Err(Interrupted.into()),
            #[cfg(unix)]
            KeyCode::Char('z') if is_control => self.suspend()?,
            KeyCode::Char('l') if is_control => self.draw_anew()?,
            _ if is_control || key.modifiers.contains(KeyModifiers::ALT) => {}
            code => self.app.press(code, now),
        }
        Ok(())
    }

    /// Ctrl-Z: the shell gets the terminal until it continues this process.
    #[cfg(unix)]
    fn suspend(&mut self) -> anyhow::Result<()> {
        use rustix::process::{Signal, getpid, kill_process};
        RawTerminal::leave();
        let _ = kill_process(getpid(), Signal::TSTP);
        // Dropping this one would leave again.
        mem::forget(RawTerminal::enter()?);
        self.draw_anew()
    }

    /// Has the next screen drawn whole. `Terminal::clear` waits for an answer that the keys' thread takes.
    fn draw_anew(&mut self) -> anyhow::Result<()> {
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(stdout()))?);
        Ok(())
    }

    /// Does what the state asks for; true at the end.
    fn carry_out_effects(&mut self) -> bool {
        for effect in self.app.take_effects() {
            match effect {
                Effect::Engine(role, order) => self.engines[role as usize].order(order),
                Effect::Save { path, replace: false, .. } if path.symlink_metadata().is_ok() => {
                    self.app.prompt = Some(Prompt::Overwrite(path));
                }
                Effect::Save { path, text, .. } => {
                    let result = NewFile::create(&path).and_then(|file| file.write_bytes(&text));
                    self.app.saved(&path, result.map_err(|error| format!("{error:#}")));
                }
                Effect::Exit => return true,
            }
        }
        false
    }
}
