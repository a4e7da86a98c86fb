//! Requests and responses of HTTP/1.1 over a stream. Each connection carries one request.
//!
//! # Why
//!
//! **Why does `serve` use `httparse` and threads?** A table has a few windows, each with one
//! waiting request. `httparse` parses request heads, is what `hyper` uses, and has no dependencies;
//! the rest is one file. Each connection carries one request, so a limit of bytes and time is easy
//! to state. Rejected: `tiny_http`, which brings four packages and needs the same checks; `hyper`
//! or `axum`, which would replace the 200 lines of this file, but neither the checks in `guard` nor the
//! forms, and would bring `tokio` and some 25 packages into the default build, with chunked bodies,
//! upgrades and reused connections to defend; web sockets, which need another handshake and
//! another check of origins.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use jantaku_show::Sentence;

/// The most bytes of a request line with its headers.
pub(super) const MAX_HEAD: usize = 16 << 10;
/// The most bytes of a body.
const MAX_BODY: usize = 16 << 10;
/// The most bytes of the form with a log.
const MAX_LOG: usize = 16 << 20;
/// The most headers of a request.
const MAX_HEADERS: usize = 64;
/// How long a request may take to arrive, and a response to be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Method {
    Get,
    Post,
}

/// A request that arrived whole.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: Method,
    /// The path as it was sent, such as `/games/0/3`.
    pub(super) path: String,
    /// What follows the question mark.
    query: String,
    /// Names in lower case, with their values.
    headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// The value of a header that occurs once. None if it is missing or occurs more often.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        found.next().filter(|_| found.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// Whether a header is there, once or more often.
    pub(super) fn has_header(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }

    /// The value of a field in the query.
    pub(super) fn query(&self, name: &str) -> Option<&str> {
        field(&self.query, name)
    }

    /// The value of a field in a body that a form sent.
    pub(super) fn form(&self, name: &str) -> Option<&str> {
        field(std::str::from_utf8(&self.body).ok()?, name)
    }

    /// The file name and the content of a part of a body that a form with files sent.
    pub(super) fn part(&self, name: &str) -> Option<(&str, &[u8])> {
        let boundary = self.header("content-type")?.strip_prefix("multipart/form-data; boundary=")?;
        let end = format!("\r\n--{boundary}");
        let mut rest = self.body.strip_prefix(&end.as_bytes()[2..])?;
        loop {
            let (head, after) = split_at(rest, b"\r\n\r\n")?;
            let (content, others) = split_at(after, end.as_bytes())?;
            let head = std::str::from_utf8(head).ok()?;
            let value = |key: &str| head.split_once(&format!("; {key}=\""))?.1.split('"').next();
            if value("name") == Some(name) {
                return Some((value("filename").unwrap_or_default(), content));
            }
            rest = others;
        }
    }
}

/// The bytes before and after the first occurrence of a text.
fn split_at<'a>(bytes: &'a [u8], text: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(text.len()).position(|found| found == text)?;
    Some((&bytes[..at], &bytes[at + text.len()..]))
}

/// The value of a field in `a=1&b=2`. Escapes are not decoded: all values are plain text.
fn field<'a>(fields: &'a str, name: &str) -> Option<&'a str> {
    let mut pairs = fields.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// The number of a response, and its meaning.
type Status = (u16, &'static str);

const TEXT: &str = "text/plain; charset=utf-8";

const OK: Status = (200, "OK");
/// A request that cannot be answered.
pub(super) const BAD: Status = (400, "Bad Request");
/// A request for another host, or of another page.
pub(super) const FORBIDDEN: Status = (403, "Forbidden");
/// What the server does not have.
pub(super) const MISSING: Status = (404, "Not Found");
/// A request that contradicts the state of a table, or a table with an impossible setup.
pub(super) const CONFLICT: Status = (409, "Conflict");
const TOO_LARGE: Status = (413, "Content Too Large");
pub(super) const FAILED: Status = (500, "Internal Server Error");
/// A request that the server would answer at another time.
pub(super) const UNAVAILABLE: Status = (503, "Service Unavailable");

/// A response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Response {
    status: Status,
    /// Why the request failed or was refused. None for an answer.
    why: Option<Sentence>,
    kind: &'static str,
    /// The page that a browser asks for next.
    location: Option<String>,
    body: Vec<u8>,
}

impl Response {
    pub(super) fn html(page: String) -> Response {
        Response::of(OK, "text/html; charset=utf-8", page.into_bytes())
    }

    /// A page that says why a request failed or was refused.
    pub(super) fn error_page(status: Status, page: String) -> Response {
        Response { status, ..Response::html(page) }
    }

    /// The response with a page instead of the text of an error. An answer stays as it is.
    pub(super) fn with_page(mut self, page: impl FnOnce(Sentence) -> String) -> Response {
        self.why.take().map(|why| Response::error_page(self.status, page(why))).unwrap_or(self)
    }

    pub(super) fn json(value: &serde_json::Value) -> Response {
        Response::of(OK, "application/json", value.to_string().into_bytes())
    }

    /// A file that the browser downloads.
    pub(super) fn file(content: Vec<u8>) -> Response {
        Response::of(OK, "application/octet-stream", content)
    }

    /// Sends the browser to another page of the server.
    pub(super) fn see_other(location: String) -> Response {
        Response { location: Some(location), ..Response::of((303, "See Other"), TEXT, Vec::new()) }
    }

    pub(super) fn not_found() -> Response {
        Response::error(MISSING, Sentence::new("no-page", ()))
    }

    /// Why a request failed or was refused. The text is English; a header has the key of the sentence.
    pub(super) fn error(status: Status, why: impl Into<Sentence>) -> Response {
        let why = why.into();
        Response { why: Some(why.clone()), ..Response::of(status, TEXT, format!("{why}\n").into_bytes()) }
    }

    const fn of(status: Status, kind: &'static str, body: Vec<u8>) -> Response {
        Response { status, why: None, kind, location: None, body }
    }

    /// Sends the response, and waits for at most about a second until the other side closes the connection.
    pub(super) fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Response { status: (status, reason), why, kind, location, body } = self;
        let mut text = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        // The policy of a page stands in the page; this part of it must be a header.
        text += "Content-Security-Policy: frame-ancestors 'none'\r\nX-Content-Type-Options: nosniff\r\n\
                 Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
                 Referrer-Policy: same-origin\r\nCache-Control: no-store\r\n";
        let key = why.as_ref().and_then(Sentence::key);
        for (name, value) in [("Location", location.as_deref()), ("X-Sentence", key)] {
            text += &value.map_or_else(String::new, |value| format!("{name}: {value}\r\n"));
        }
        text += "\r\n";
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(text.as_bytes())?;
        stream.write_all(body)?;
        stream.shutdown(Shutdown::Write)?;
        discard_rest(stream)
    }
}

/// Reads what is left of a request that was too large: closing a socket with unread bytes would discard
/// the response.
fn discard_rest(stream: &mut TcpStream) -> io::Result<()> {
    const MAX: usize = 64 << 20;
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    let (mut buffer, mut read, until) = ([0; 4096], 0, Instant::now() + Duration::from_secs(1));
    while read < MAX && Instant::now() < until {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => read += count,
        }
    }
    Ok(())
}

/// Why a connection yields no request.
#[derive(Debug)]
pub(super) enum Refused {
    /// The other side closed the connection.
    Gone,
    /// The request cannot be read; it gets this response.
    With(Response),
}

impl Refused {
    fn with(status: Status, why: impl Into<Sentence>) -> Refused {
        Refused::With(Response::error(status, why))
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                Refused::with((408, "Request Timeout"), "the request did not arrive in time")
            }
            _ => Refused::Gone,
        }
    }
}

impl From<httparse::Error> for Refused {
    fn from(error: httparse::Error) -> Refused {
        match error {
            httparse::Error::TooManyHeaders => Refused::with(TOO_LARGE, "too many headers"),
            error => Refused::with(BAD, format!("expected a request of HTTP/1.1: {error}")),
        }
    }
}

/// Reads a request with its whole body, unless `refuse` has a response to its head.
pub(super) fn read(
    stream: &mut TcpStream,
    refuse: impl Fn(&Request) -> Option<Response>,
) -> Result<Request, Refused> {
    let deadline = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let (head, mut request) = loop {
        if let Some(parsed) = parse_head(&bytes)? {
            break parsed;
        }
        if bytes.len() >= MAX_HEAD {
            return Err(Refused::with(TOO_LARGE, "the headers are too long"));
        }
        receive(stream, &mut bytes, deadline)?;
    };
    refuse(&request).map_or(Ok(()), |response| Err(Refused::With(response)))?;
    let length = body_length(&request)?;
    while bytes.len() < head + length {
        receive(stream, &mut bytes, deadline)?;
    }
    request.body = bytes[head..head + length].to_vec();
    Ok(request)
}

/// Reads some more bytes.
fn receive(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> Result<(), Refused> {
    let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0; 4096];
    match stream.read(&mut buffer)? {
        0 => Err(Refused::Gone),
        count => {
            bytes.extend_from_slice(&buffer[..count]);
            Ok(())
        }
    }
}

/// The request before its body, and the number of bytes of its head. None if the head has not
/// arrived.
fn parse_head(bytes: &[u8]) -> Result<Option<(usize, Request)>, Refused> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(head) = parsed.parse(bytes)? else { return Ok(None) };
    if head > MAX_HEAD {
        return Err(Refused::with(TOO_LARGE, "the headers are too long"));
    }
    let method = match parsed.method {
        Some("GET") => Method::Get,
        Some("POST") => Method::Post,
        _ => return Err(Refused::with((405, "Method Not Allowed"), "expected GET or POST")),
    };
    let target = parsed.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers = parsed.headers.iter().map(|header| (header.name.to_lowercase(), text(header.value)));
    let headers = headers.collect();
    let (path, query) = (path.to_owned(), query.to_owned());
    Ok(Some((head, Request { method, path, query, headers, body: Vec::new() })))
}

/// How many bytes the body has by its header, 0 without one. Refuses anything but one length within the
/// limit.
fn body_length(request: &Request) -> Result<usize, Refused> {
    if request.has_header("transfer-encoding") {
        return Err(Refused::with((411, "Length Required"), "expected a body with its length"));
    }
    if !request.has_header("content-length") {
        return Ok(0);
    }
    let stated = request.header("content-length").filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
    let stated = stated.ok_or_else(|| Refused::with(BAD, "expected one length of the body"))?;
    // This address gets the form with a log.
    let most = if request.path == "/games" { MAX_LOG } else { MAX_BODY };
    let length = stated.parse::<usize>().ok().filter(|length| *length <= most);
    length.ok_or_else(|| Refused::with(TOO_LARGE, Sentence::new("too-long", ())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_queries_are_found() {
        assert_eq!(field("hands=1&steps=20&x=", "steps"), Some("20"));
        assert_eq!(field("hands=1&steps=20&x=", "x"), Some(""));
        assert_eq!(field("hands=1", "step"), None);
        assert_eq!(field("", "step"), None);
    }

    #[test]
    fn a_header_that_stands_twice_has_no_value() {
        let head = b"GET /a?b=1 HTTP/1.1\r\nHost: a\r\nhost: b\r\nOrigin: c\r\n\r\n";
        let (length, request) = parse_head(head).expect("a request").expect("all of it");
        assert_eq!((length, request.path.as_str(), request.query("b")), (head.len(), "/a", Some("1")));
        assert_eq!((request.header("host"), request.header("origin")), (None, Some("c")));
    }
}
