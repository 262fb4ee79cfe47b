//! Hints about memory. They change how long things take, and nothing else.

/// Starts loading the cache line that `place` lies in, where the processor has a way to ask.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(place: &T) {
    // SAFETY: a prefetch reads and writes nothing that the program can see and cannot fault,
    // whatever the address; here it is that of a live reference besides. The instruction is part
    // of SSE, which every x86-64 processor has.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for memory in large pages, where the system has them: random access then misses the
/// address translation cache far less often, and first use faults once for 2 MiB, not for 4 KiB.
#[allow(unsafe_code)]
pub(crate) fn use_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        // The call takes whole pages, of any of the sizes there are.
        const PAGE: usize = 1 << 16;
        let start = memory.as_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let length = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies within the live allocation behind `memory`. MADV_HUGEPAGE
            // leaves the contents of memory and the validity of addresses as they are. A system
            // that cannot do it answers with an error, which does not matter.
            unsafe {
                libc::madvise(start.add(skipped).cast_mut().cast(), length, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_what_it_was() {
        for bytes in [0, 1, 4096, 1 << 16, (1 << 22) + 5] {
            let memory: Vec<u8> = (0..bytes).map(|i| i as u8).collect();
            use_huge_pages(&memory);
            memory.iter().step_by(64).for_each(prefetch);
            assert!(memory.iter().enumerate().all(|(i, &byte)| byte == i as u8));
        }
    }
}
