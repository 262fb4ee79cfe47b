//! The page without a server, from the files that `.ci/site` has built.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;

/// Where the site is, without `http://`, if `KALAH_SITE` names its folder: the tests of the page are then its tests.
pub(crate) fn host() -> Option<&'static str> {
    static HOST: OnceLock<Option<String>> = OnceLock::new();
    HOST.get_or_init(|| std::env::var_os("KALAH_SITE").map(|folder| serve(Path::new(&folder))))
        .as_deref()
}

/// Serves a folder below a path, to the end of the process; pages elsewhere may use its files, as on GitHub Pages. It
/// sends parts of files, but for those in a folder `whole`.
pub(crate) fn serve(folder: &Path) -> String {
    let folder = folder.canonicalize().expect("KALAH_SITE is no folder");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("{}/below/a-path", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            thread::spawn(move || answer(&stream, &folder));
        }
    });
    host
}

/// Answers requests until the browser hangs up.
fn answer(mut stream: &TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let request = lines.next()?.ok()?;
        let mut part = None;
        loop {
            let line = lines.next()?.ok()?;
            if line.is_empty() {
                break;
            }
            let bytes = line.to_ascii_lowercase();
            if let Some((first, last)) =
                bytes.strip_prefix("range: bytes=").and_then(|bytes| bytes.split_once('-'))
            {
                part = Some(first.parse::<usize>().ok()?..last.parse::<usize>().ok()? + 1);
            }
        }
        let path = request.split([' ', '?']).nth(1)?;
        let name = path.strip_prefix("/below/a-path/");
        let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
        let content = name.and_then(|name| fs::read(folder.join(name)).ok());
        let kind = match path.rsplit('.').next()? {
            "js" => "text/javascript",
            "css" => "text/css",
            "svg" => "image/svg+xml",
            "wasm" => "application/wasm",
            "json" | "webmanifest" => "application/json",
            "png" => "image/png",
            _ => "text/html",
        };
        let mut status = if content.is_some() { "200 OK" } else { "404 Not Found" }.to_owned();
        let content = content.unwrap_or_default();
        let part = part.filter(|part| part.end <= content.len() && !path.contains("/whole/"));
        if let Some(Range { start, end }) = part.clone() {
            let (last, all) = (end - 1, content.len());
            status = format!("206 Partial Content\r\nContent-Range: bytes {start}-{last}/{all}");
        }
        let content = &content[part.unwrap_or(0..content.len())];
        let length = content.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
             Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: Content-Range\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(content).ok()?;
    }
}
