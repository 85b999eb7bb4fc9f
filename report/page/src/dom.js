// SPDX-License-Identifier: GPL-3.0-or-later
// Elements, and small things that all parts use.

/** make("button", { type: "button", onclick: f }, "text", child, ...): strings are text, never markup. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const polite = () => document.getElementById("said");

/** Tell those who listen to the page rather than look at it. */
export function say(text) {
  const region = polite();
  if (region) region.textContent = text;
}

/** Put a text into the clipboard; where that is not allowed, into a field to copy it from. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = make("textarea", { "aria-hidden": "true", tabindex: "-1", class: "away" });
    field.value = text;
    document.body.append(field);
    const focused = document.activeElement;
    field.select();
    document.execCommand("copy");
    field.remove();
    focused?.focus();
  }
  window.holdfast.copied = text;
  say(`${what} is in the clipboard`);
}

export function save(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** t0, t1, t2, t5 as "t0..t2 t5". */
export function runs(names) {
  const split = (name) => /^(.*?)(\d+)$/.exec(name);
  const out = [];
  for (let i = 0; i < names.length; ) {
    const first = split(names[i]);
    let end = i + 1;
    while (first && end < names.length) {
      const next = split(names[end]);
      if (!next || next[1] !== first[1] || Number(next[2]) !== Number(first[2]) + end - i) break;
      end++;
    }
    out.push(end - i > 1 ? `${names[i]}..${names[end - 1]}` : names[i]);
    i = end;
  }
  return out.join(" ");
}

export function plural(n, one, many = `${one}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
