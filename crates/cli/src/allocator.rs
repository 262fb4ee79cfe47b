//! Where the system refuses memory the program ends in good order: its allocator is the system's, and its
//! panic hook knows threads that get no stack.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Display;
use std::io::{self, Write};
use std::panic;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// New memory of this size is asked for by code that can do without it or report an error. For smaller
/// requests there is no such code, and a vector that grows does not tell whether there is: the standard
/// library would abort the process.
const FALLIBLE: usize = 1 << 20;

pub(crate) struct Allocator;

// SAFETY: every call is passed on to the system's allocator, and every pointer comes from it.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are those that `System` asks for; the same below.
        unsafe { checked(System.alloc(layout), layout.size(), FALLIBLE) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see above.
        unsafe { checked(System.alloc_zeroed(layout), layout.size(), FALLIBLE) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: see above.
        unsafe { checked(System.realloc(memory, layout, new_size), new_size, usize::MAX) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: see above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize, fallible: usize) -> *mut u8 {
    if memory.is_null() && size < fallible {
        end_without_memory(format_args!("{size} bytes"));
    }
    memory
}

/// The standard library panics in a new thread that gets no memory for its signal stack. Ends the program
/// then, as wherever else memory is refused.
pub(crate) fn end_without_signal_stacks() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.location().is_some_and(|place| place.file().ends_with("stack_overflow.rs")) {
            end_without_memory("the stack of a thread");
        }
        report(info);
    }));
}

/// Ends the program with status 1. No file is left in part: they are written beside the old ones and
/// renamed, and checkpoints are read to the last whole record.
#[cold]
fn end_without_memory(refused: impl Display) -> ! {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::Relaxed) {
        loop {
            thread::park();
        }
    }
    // Neither line allocates.
    let _ = writeln!(io::stderr(), "kalah: out of memory: the system refuses {refused}");
    process::exit(1);
}
