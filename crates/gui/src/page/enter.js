// An address without its token, such as that of a shared game: the token that this browser used last may still be right.

let token = null;
try {
  token = localStorage.getItem("kalah-token");
} catch {
  // Nothing is kept here.
}
const { search, hash } = location;
if (token && !new URLSearchParams(search).has("token")) location.replace(`/?token=${encodeURIComponent(token)}${hash}`);
