//! What the processor and the system are asked and told: hints about memory, how much memory and
//! room on disks there is, and files that are read where they lie. The one place with `unsafe`
//! code.

mod available;
mod mapped;
mod memory;

pub(crate) use available::{available_disk, available_memory};
pub(crate) use mapped::MappedFile;
pub(crate) use memory::{prefetch, use_huge_pages};
