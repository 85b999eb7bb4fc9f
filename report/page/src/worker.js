// SPDX-License-Identifier: GPL-3.0-or-later
// The library works here, so that the page can be used meanwhile.
import { Library, Refused } from "./library.js";

let library;

self.onmessage = ({ data }) => {
  if (data.module) {
    library = new Library(data.module);
    return;
  }
  if (data.files) {
    library.files = new Map(data.files);
    library.start();
    return;
  }
  try {
    self.postMessage({ id: data.id, result: library[data.method](...data.words) });
  } catch (error) {
    self.postMessage({ id: data.id, refused: error instanceof Refused, message: error.message });
  }
};
