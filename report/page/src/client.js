// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the library, one thing after the other, in a worker that can be stopped.
/* global WORKER_SOURCE */

/** What was asked is no longer of interest. */
export class Stopped extends Error {}

export class Client {
  constructor(module) {
    this.module = module;
    this.waiting = [];
    this.current = null;
    this.files = new Map();
    this.next = 1;
    this.onbusy = () => {};
    this.start();
  }

  start() {
    this.worker = new Worker(Client.url());
    this.worker.onmessage = ({ data }) => this.finish(data);
    this.worker.postMessage({ module: this.module });
    this.worker.postMessage({ files: [...this.files] });
  }

  static url() {
    Client.source ??= URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
    return Client.source;
  }

  /** Files that specs can name, such as a network: file:NAME. */
  addFile(name, bytes) {
    this.files.set(name, bytes);
    this.worker.postMessage({ files: [...this.files] });
  }

  /** Ask: a method of Library and what it takes. Of those with the same topic that wait only the last is asked. */
  ask(topic, method, ...words) {
    return new Promise((resolve, reject) => {
      const older = topic ? this.waiting.findIndex((one) => one.topic === topic) : -1;
      if (older >= 0) this.waiting.splice(older, 1)[0].reject(new Stopped("superseded"));
      this.waiting.push({ topic, method, words, resolve, reject, id: this.next++ });
      this.proceed();
    });
  }

  proceed() {
    if (!this.current && this.waiting.length > 0) {
      this.current = this.waiting.shift();
      this.worker.postMessage({ id: this.current.id, method: this.current.method, words: this.current.words });
    }
    this.onbusy(Boolean(this.current));
  }

  finish(data) {
    const asked = this.current;
    if (!asked || data.id !== asked.id) return;
    this.current = null;
    if (data.message === undefined) asked.resolve(data.result);
    else asked.reject(new Error(data.message));
    this.proceed();
  }

  /** Give up what is being computed and what waits. */
  stop() {
    const dropped = [this.current, ...this.waiting].filter(Boolean);
    this.worker.terminate();
    this.current = null;
    this.waiting = [];
    this.start();
    dropped.forEach((one) => one.reject(new Stopped("stopped")));
    this.proceed();
  }
}
