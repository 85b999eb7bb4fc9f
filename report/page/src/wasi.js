// SPDX-License-Identifier: GPL-3.0-or-later
// The little of WASI (snapshot preview 1) that the library asks for: a clock, an environment, two streams that are kept as text, and files
// that are held in memory and only read.

const SUCCESS = 0, BADF = 8, INVAL = 28, NOENT = 44, ROFS = 69;
const ROOT = 3; // the descriptor of the folder in which all files are
const FOLDER = 3, REGULAR = 4;
const encoder = new TextEncoder(), decoder = new TextDecoder();

export class Exit extends Error {}

export class Host {
  constructor(environment = {}) {
    this.environment = Object.entries(environment).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
    this.files = new Map(); // contents by name, without a leading slash
    this.open = new Map(); // by descriptor: contents, and where the next read begins
    this.streams = { 1: [], 2: [] };
    this.next = ROOT + 1;
  }

  /** What was written to a stream since it was last asked for. */
  take(stream) {
    const parts = this.streams[stream];
    this.streams[stream] = [];
    return parts.map((part, i) => decoder.decode(part, { stream: i + 1 < parts.length })).join("");
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  put64(at, value) {
    this.view.setBigUint64(at, BigInt(value), true);
  }

  /** Each buffer of a list of them, until one is not filled. */
  each(list, n, work) {
    let done = 0;
    for (let i = 0; i < n; i++) {
      const at = this.view.getUint32(list + 8 * i, true), size = this.view.getUint32(list + 8 * i + 4, true);
      const moved = work(this.bytes(at, size));
      done += moved;
      if (moved < size) break;
    }
    return done;
  }

  write(fd, list, n, out) {
    if (!this.streams[fd]) return BADF;
    const done = this.each(list, n, (bytes) => this.streams[fd].push(bytes.slice()) && bytes.length);
    this.view.setUint32(out, done, true);
    return SUCCESS;
  }

  read(fd, list, n, out) {
    const file = this.open.get(fd);
    if (fd === 0) {
      this.view.setUint32(out, 0, true);
      return SUCCESS;
    }
    if (!file) return BADF;
    const done = this.each(list, n, (bytes) => {
      const part = file.data.subarray(file.at, file.at + bytes.length);
      bytes.set(part);
      file.at += part.length;
      return part.length;
    });
    this.view.setUint32(out, done, true);
    return SUCCESS;
  }

  seek(fd, offset, whence, out) {
    const file = this.open.get(fd);
    if (!file) return fd <= 2 ? 70 : BADF; // a stream cannot be wound
    file.at = Number(offset) + [0, file.at, file.data.length][whence];
    this.put64(out, file.at);
    return SUCCESS;
  }

  fileStat(at, data, kind) {
    this.bytes(at, 64).fill(0);
    this.view.setUint8(at + 16, kind);
    this.put64(at + 24, 1);
    this.put64(at + 32, data ? data.length : 0);
    return SUCCESS;
  }

  find(path, size) {
    const name = decoder.decode(this.bytes(path, size).slice()).replace(/^\/+/, "");
    return this.files.get(name);
  }

  openFile(flags, path, size, wanted, rights, out) {
    const data = this.find(path, size);
    if (wanted & 9) return ROFS; // to be made, or to be cut
    if (!data) return NOENT;
    this.open.set(this.next, { data, at: 0 });
    this.view.setUint32(out, this.next++, true);
    return SUCCESS;
  }

  imports() {
    const refuse = () => ROFS;
    return {
      environ_sizes_get: (n, size) => {
        this.view.setUint32(n, this.environment.length, true);
        this.view.setUint32(size, this.environment.reduce((sum, entry) => sum + entry.length, 0), true);
        return SUCCESS;
      },
      environ_get: (list, at) => {
        this.environment.forEach((entry, i) => {
          this.view.setUint32(list + 4 * i, at, true);
          this.bytes(at, entry.length).set(entry);
          at += entry.length;
        });
        return SUCCESS;
      },
      clock_time_get: (clock, precision, out) => {
        this.put64(out, Math.round((clock === 0 ? Date.now() : performance.now()) * 1e6));
        return SUCCESS;
      },
      fd_close: (fd) => (this.open.delete(fd) ? SUCCESS : BADF),
      fd_fdstat_get: (fd, out) => {
        if (fd > ROOT && !this.open.has(fd)) return BADF;
        this.bytes(out, 24).fill(0);
        this.view.setUint8(out, fd === ROOT ? FOLDER : fd < ROOT ? 2 : REGULAR);
        this.bytes(out + 8, 16).fill(255);
        return SUCCESS;
      },
      fd_fdstat_set_flags: () => SUCCESS,
      fd_filestat_get: (fd, out) => {
        const file = this.open.get(fd);
        return file ? this.fileStat(out, file.data, REGULAR) : fd <= ROOT ? this.fileStat(out, null, fd === ROOT ? FOLDER : 2) : BADF;
      },
      fd_prestat_get: (fd, out) => {
        if (fd !== ROOT) return BADF;
        this.put64(out, 0);
        this.view.setUint32(out + 4, 1, true);
        return SUCCESS;
      },
      fd_prestat_dir_name: (fd, at, size) => {
        if (fd !== ROOT || size < 1) return INVAL;
        this.bytes(at, 1)[0] = 47; // "/"
        return SUCCESS;
      },
      fd_read: (fd, list, n, out) => this.read(fd, list, n, out),
      fd_seek: (fd, offset, whence, out) => this.seek(fd, offset, whence, out),
      fd_sync: () => SUCCESS,
      fd_write: (fd, list, n, out) => this.write(fd, list, n, out),
      path_filestat_get: (fd, flags, path, size, out) => {
        const data = this.find(path, size);
        return data ? this.fileStat(out, data, REGULAR) : NOENT;
      },
      path_open: (fd, flags, path, size, wanted, rights, inheriting, fdflags, out) => this.openFile(flags, path, size, wanted, rights, out),
      path_rename: refuse,
      path_unlink_file: refuse,
      proc_exit: (status) => {
        throw new Exit(`the library ended with status ${status}`);
      },
    };
  }
}
