//! The one place with `unsafe` code: asking the processor for a cache line ahead of its use.

/// Starts loading the cache line that `place` lies in, where the processor has a way to ask.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(place: &T) {
    // SAFETY: a prefetch is a hint. It reads and writes nothing that the program can see and
    // cannot fault, whatever the address; here it is that of a live reference besides. The
    // instruction is part of SSE, which every x86-64 processor has.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
