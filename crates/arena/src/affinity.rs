//! Processors of their own for games that are played at the same time.

use std::io;

/// Binds the calling thread, and all threads and programs that it starts, to its share of the processors that it
/// may use: the share of this game, from 0, of `games` at a time.
#[cfg(target_os = "linux")]
pub(crate) fn bind_to_processors(game: usize, games: usize) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed = sched_getaffinity(None)?;
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).collect();
    let share = allowed.len() / games;
    if share == 0 {
        let few = format!("there are {} processors for {games} games at a time", allowed.len());
        return Err(io::Error::other(few));
    }
    let mut own = CpuSet::new();
    allowed[game * share..][..share].iter().for_each(|&cpu| own.set(cpu));
    Ok(sched_setaffinity(None, &own)?)
}

/// Not supported by this system.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bind_to_processors(_: usize, _: usize) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "it needs Linux"))
}
