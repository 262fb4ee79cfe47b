//! Hints to the processor and the system. They change how long things take, and nothing else.

mod memory;

pub(crate) use memory::{prefetch, use_huge_pages};
