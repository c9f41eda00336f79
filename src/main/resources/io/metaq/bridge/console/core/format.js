// Numbers, sizes and times as people read them. What is not known is null here, and a dash there.

export const DASH = '–';
const NARROW = '\u202f';
const whole = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** Offsets above 2^53 come as digits, and keep every one of them. */
export const big = (value) => BigInt(value);
export const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);

export function count(value) {
  return known(value) ? whole.format(typeof value === 'string' ? BigInt(value) : value) : DASH;
}

export function plural(value, one, many = one + 's') {
  return `${count(value)} ${String(value) === '1' ? one : many}`;
}

/** How many lie between two offsets. */
export function between(from, to) {
  if (!known(from) || !known(to)) return null;
  const distance = BigInt(to) - BigInt(from);
  return distance > Number.MAX_SAFE_INTEGER ? String(distance) : Number(distance);
}

/** [figure, unit]: 1,240 /s. */
export function rate(value) {
  if (!known(value)) return [DASH, ''];
  if (value >= 1e6) return [digits(value / 1e6), 'M/s'];
  if (value >= 1e5) return [digits(value / 1e3), 'k/s'];
  return [value < 10 ? digits(value) : whole.format(Math.round(value)), '/s'];
}

/** [figure, unit], in steps of 1,024. */
export function bytes(value) {
  if (!known(value)) return [DASH, ''];
  let amount = Number(value);
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (amount < 1024) return [unit === 'B' ? whole.format(Math.round(amount)) : digits(amount), unit];
    amount /= 1024;
  }
  return [digits(amount), 'TiB'];
}

export function bytesRate(value) {
  const [figure, unit] = bytes(value);
  return [figure, unit && unit + '/s'];
}

/** [figure, unit] of ms. */
export function span(ms) {
  if (!known(ms)) return [DASH, ''];
  if (ms < 1) return [digits(ms), 'ms'];
  if (ms < 1000) return [ms < 100 ? digits(ms) : String(Math.round(ms)), 'ms'];
  if (ms < 60_000) return [digits(ms / 1000), 's'];
  if (ms < 3_600_000) return [String(Math.floor(ms / 60_000)), 'min'];
  if (ms < 172_800_000) return [digits(ms / 3_600_000), 'h'];
  return [String(Math.floor(ms / 86_400_000)), 'd'];
}

export function percent(ratio) {
  return known(ratio) ? [digits(ratio * 100), '%'] : [DASH, ''];
}

export const text = ([figure, unit]) => (unit ? figure + NARROW + unit : figure);

/** Three figures that count, no more. */
function digits(value) {
  const places = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  const short = value.toFixed(places);
  return places && Number(short) === Math.round(value) ? String(Math.round(value)) : short.replace(/(\.\d)0$/, '$1');
}

/** Local clock time, with the day when it is not today's. */
export function clock(iso, ms = true) {
  const time = new Date(iso);
  const now = new Date();
  const at = pad(time.getHours()) + ':' + pad(time.getMinutes()) + ':' + pad(time.getSeconds())
    + (ms ? '.' + String(time.getMilliseconds()).padStart(3, '0') : '');
  if (time.toDateString() === now.toDateString()) return at;
  return (time.getFullYear() === now.getFullYear() ? day : dayOfYear).format(time) + ', ' + at;
}

const pad = (number) => String(number).padStart(2, '0');

/** Clock time of a scale. */
export function hourMinute(seconds, exact) {
  return clock(seconds * 1000, false).slice(-8, exact ? undefined : -3);
}

/** What an input of type datetime-local wants: local time, to the second. */
export function localInput(date) {
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Begin and end of a long id. */
export function shortId(id) {
  return id.length > 20 ? id.slice(0, 8) + '…' + id.slice(-8) : id;
}
