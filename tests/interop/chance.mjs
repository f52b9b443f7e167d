// Chance that can be repeated: a generator of random numbers by seed, and Pi's clock and ids taken from it.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

export class Chance {
  constructor(seed) {
    this.state = (seed * 2654435761) >>> 0 || 1;
  }

  // A number in [0, 1), by xorshift.
  next() {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  among(list) {
    return list[this.below(list.length)];
  }

  odds(share) {
    return this.next() < share;
  }

  some(least, most, make) {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, i) => make(i));
  }

  // The key of a table { key: weight }.
  weighted(table) {
    let left = this.next() * Object.values(table).reduce((sum, weight) => sum + weight, 0);
    for (const [key, weight] of Object.entries(table)) if ((left -= weight) < 0) return key;
    return Object.keys(table)[0];
  }
}

// From here on new Date() and randomUUID() follow the seed, so that a seed always writes the same entries.
export function bindPi(chance, startMs) {
  const RealDate = Date;
  const clock = { now: startMs };
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length ? args : [clock.now]));
    }
    static now() {
      return clock.now;
    }
  };
  const hex = (digits) => Array.from({ length: digits }, () => chance.below(16).toString(16)).join("");
  crypto.randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  syncBuiltinESMExports();
  return {
    now: () => clock.now,
    // Mostly forward; now and then a machine's clock is set back or two entries share a millisecond.
    advance() {
      clock.now += chance.odds(0.05) ? -chance.below(100_000) : chance.odds(0.1) ? 0 : chance.below(90_000);
      return clock.now;
    },
  };
}
