//! The board in the browser: a server of one page, which drives engines over their protocol.
//!
//! The page (`page/`) shows a board and speaks to engines; it asks the server for legal moves and
//! results, since it has no rules of its own. Page and server exchange JSON over a WebSocket;
//! `docs/formats/page-messages.md` describes the messages.

mod access;
mod command;
mod connections;
mod engines;
mod page;
mod room;
mod rooms;
mod session;

pub use command::GuiCommand;
