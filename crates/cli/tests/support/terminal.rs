//! The program in a pseudo-terminal. Nothing here waits for a time: whatever does not appear on the
//! screen before a deadline fails the test and shows the screen.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, ioctl_tiocsctty, kill_process, setsid};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Far more than anything takes, for tests share their machine with others.
const DEADLINE: Duration = Duration::from_mins(2);

/// A process and the screen that it draws.
pub(crate) struct PseudoTerminal {
    child: Child,
    input: File,
    output: Receiver<Vec<u8>>,
    reader: Option<JoinHandle<()>>,
    parser: vt100::Parser,
    /// The last bytes of the output, and whether they belong to a screen that is not complete.
    tail: Vec<u8>,
    is_drawing: bool,
}

/// What the program writes before and after a screen.
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

impl PseudoTerminal {
    /// The program with these words as arguments, on a screen of `(columns, rows)`.
    pub(crate) fn start(size: (u16, u16), arguments: &str) -> PseudoTerminal {
        PseudoTerminal::with(size, |command| {
            command.args(arguments.split_whitespace());
        })
    }

    /// The program, after changes to how it is started.
    pub(crate) fn with(
        (columns, rows): (u16, u16),
        change: impl FnOnce(&mut Command),
    ) -> PseudoTerminal {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        // Programs that hold it would keep the terminal open.
        #[cfg(target_os = "linux")]
        let flags = flags | OpenptFlags::CLOEXEC;
        let master = openpt(flags).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave =
            open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())
                .unwrap();
        set_size(&master, columns, rows);
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        command.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
        change(&mut command);
        let copy = |fd: &OwnedFd| fd.try_clone().unwrap();
        command.stdin(copy(&slave)).stdout(copy(&slave)).stderr(slave);
        lead_session(&mut command);
        let child = command.spawn().unwrap();
        // The ends of the terminal that the command holds would keep it open.
        drop(command);
        let input = File::from(master);
        let mut master = input.try_clone().unwrap();
        let (sender, output) = channel();
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of the process is an error.
            while let Ok(length @ 1..) = master.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let parser = vt100::Parser::new(rows, columns, 0);
        let (tail, reader) = (Vec::new(), Some(reader));
        PseudoTerminal { child, input, output, reader, parser, tail, is_drawing: false }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
    }

    /// Clicks on the first character of a text on the screen.
    #[track_caller]
    pub(crate) fn click(&mut self, text: &str) {
        let screen = self.screen();
        let place = screen.lines().zip(1..).find_map(|(line, row)| {
            line.find(text).map(|at| (line[..at].chars().count() + 1, row))
        });
        let Some((column, row)) = place else { self.fail(&format!("no '{text}' to click on")) };
        self.press(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(rows, columns);
        set_size(&self.input, columns, rows);
    }

    /// Another program writes on the screen.
    pub(crate) fn disturb(&mut self, text: &str) {
        self.parser.process(text.as_bytes());
    }

    /// The text on the screen.
    pub(crate) fn screen(&self) -> String {
        let lines = self.parser.screen().contents();
        lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// The screen with its colours.
    pub(crate) fn terminal(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        self.wait_until(&format!("'{text}'"), |screen| screen.contains(text));
    }

    /// Presses keys and waits for a text.
    #[track_caller]
    pub(crate) fn press_for(&mut self, keys: &str, text: &str) {
        self.press(keys);
        self.wait_for(text);
    }

    fn process(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        for &byte in bytes {
            self.tail.push(byte);
            self.is_drawing &= !self.tail.ends_with(END);
            self.is_drawing |= self.tail.ends_with(BEGIN);
        }
        // The beginning of a mark may have come.
        self.tail.drain(..self.tail.len().saturating_sub(BEGIN.len()));
    }

    /// Waits until a complete screen is as it should be.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, is_right: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while self.is_drawing || !is_right(&self.screen()) {
            let left = DEADLINE.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.process(&bytes),
                Err(error) => self.fail(&format!("{error} while waiting for {what}")),
            }
        }
    }

    /// Waits until the screen has these lines, without regard to empty lines around them.
    #[track_caller]
    pub(crate) fn wait_for_screen(&mut self, lines: &str) {
        let expected = lines.trim_matches('\n').trim_end();
        self.wait_until(&format!("the screen\n{expected}\n"), |screen| {
            screen.trim_end() == expected
        });
    }

    pub(crate) fn send_signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.child.id().cast_signed()).unwrap(), signal).unwrap();
    }

    /// Waits for the end of the process; the screen is then what it left.
    #[track_caller]
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            while let Ok(bytes) = self.output.try_recv() {
                self.parser.process(&bytes);
            }
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > DEADLINE => self.fail("the process did not end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        loop {
            match self.output.recv_timeout(DEADLINE) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => return status,
                Err(RecvTimeoutError::Timeout) => self.fail("something holds the terminal open"),
            }
        }
    }

    /// Closes the terminal under the program, and waits for its end.
    #[cfg(target_os = "linux")]
    pub(crate) fn hang_up(mut self) -> ExitStatus {
        // Whoever reads ends at the next output, which a new size brings.
        self.output = channel().1;
        self.resize(79, 23);
        self.reader.take().unwrap().join().unwrap();
        self.input = File::open("/dev/null").unwrap();
        self.wait_for_end()
    }

    #[track_caller]
    pub(crate) fn fail(&self, why: &str) -> ! {
        panic!("{why}\n--- the screen ---\n{}\n---", self.screen());
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_size(terminal: impl std::os::fd::AsFd, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).unwrap();
}

/// The process becomes the leader of a session whose terminal is its standard input.
#[allow(unsafe_code)]
fn lead_session(command: &mut Command) {
    let in_child = || {
        setsid()?;
        ioctl_tiocsctty(rustix::stdio::stdin())?;
        Ok(())
    };
    // SAFETY: in the child the closure makes two system calls. It takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(in_child);
    }
}
