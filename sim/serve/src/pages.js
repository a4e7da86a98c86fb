"use strict";

// Reloads the content of the page when its state has changed. Polls the state while the page is
// visible, less often if answers take long.
const main = () => document.querySelector("main");

async function takeNews() {
  const state = await (await fetch(`${location.pathname.replace(/\/$/, "")}/state`)).text();
  if (state === main().dataset.state) return;
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (!fresh) return;
  const focused = document.activeElement?.closest("main a")?.getAttribute("href");
  main().replaceWith(fresh);
  if (focused) document.querySelector(`main a[href="${CSS.escape(focused)}"]`)?.focus();
}

async function watch() {
  while (main().dataset.state) {
    const start = performance.now();
    try {
      if (!document.hidden) await takeNews();
    } catch {
      // The server is not there: it may start again.
    }
    const pause = Math.max(1000, 5 * (performance.now() - start));
    await new Promise((done) => setTimeout(done, pause));
  }
}

watch();
