import { html, nothing } from '../core/lib.js';
import { get, path, post } from '../core/api.js';
import { between, clock, count, localInput, plural } from '../core/format.js';
import { ask } from '../parts/dialog.js';
import { choice, field } from '../parts/fields.js';
import { say } from '../parts/said.js';

const WHERE = [['earliest', 'Earliest'], ['latest', 'Latest'], ['time', 'Time'], ['queues', 'By queue']];

/** A dialog that moves a group, and says beforehand what that does. */
export function resetGroup(group) {
  const topics = [...new Set(group.queues.map((queue) => queue.topic))]
    .sort((one, other) => one.startsWith('%') - other.startsWith('%'));
  const wanted = { topic: topics[0], to: 'earliest', time: localInput(new Date(Date.now() - 3600_000)), offsets: {} };
  const details = {};
  const queues = () => group.queues.filter((queue) => queue.topic === wanted.topic);
  let redraw = () => {};

  const look = (topic) => {
    if (details[topic] || !topic) return;
    details[topic] = { queues: [] };
    get(path`topics/${topic}`).then((value) => { details[topic] = value; }, () => {}).then(() => redraw());
  };
  look(wanted.topic);

  ask({
    title: 'Reset ' + group.group,
    verb: 'Reset group',
    danger: true,
    wide: true,
    valid: () => wanted.topic && (wanted.to !== 'time' || wanted.time)
      && (wanted.to !== 'queues' || moves(wanted, queues()).length > 0),
    fields: (draw) => {
      redraw = draw;
      return topics.length ? html`
        ${topics.length > 1 ? field('Topic', html`<select name="topic"
          @change=${(event) => { wanted.topic = event.target.value; look(wanted.topic); }}>
          ${topics.map((topic) => html`<option>${topic}</option>`)}</select>`) : html`<p>Topic
            <strong>${wanted.topic}</strong></p>`}
        <div class="field shrink"><span>Go on at</span><span>${choice('Go on at', WHERE, wanted.to,
          (to) => { wanted.to = to; draw(); })}</span></div>
        ${wanted.to === 'time' ? field('Stored since', html`<input type="datetime-local" step="1" name="time" .value=${wanted.time}
          @input=${(event) => { wanted.time = event.target.value; }}>`) : nothing}
        ${wanted.to === 'queues' ? byQueue(wanted, queues()) : nothing}
        <div class="notice warn effect" role="status"><div><strong>${effect(wanted, queues(),
          details[wanted.topic]?.queues ?? [])}</strong>
          <p>${group.members.length ? `${plural(group.members.length, 'connected member')} will go on there within seconds.`
            : 'Nobody is connected; its next member begins there.'}</p></div></div>`
        : html`<p>It has read nothing yet: there is nothing to move.</p>`;
    },
    async act() {
      const moved = await post(path`groups/${group.group}/offsets`, { topic: wanted.topic, to: target(wanted, queues()) });
      say(`${group.group} goes on in ${plural(moved.queues.length, 'queue')} of ${moved.topic}`);
    },
  });
}

const nameOf = (queue) => `${queue.broker}:${queue.queueId}`;
const isOffset = (text) => /^\d{1,18}$/.test(text);

/** A number, or above 2^53 its digits, as the server takes and gives them. */
const exact = (digits) => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);

/** Queues whose offset is to be another. */
function moves({ offsets }, queues) {
  return queues.filter((queue) => isOffset(offsets[nameOf(queue)] ?? '')
    && BigInt(offsets[nameOf(queue)]) !== BigInt(queue.offset));
}

function byQueue(wanted, queues) {
  return html`<div class="offsets">${queues.map((queue) => {
    const text = wanted.offsets[nameOf(queue)] ?? String(queue.offset);
    return field(`${queue.broker} · ${queue.queueId}`, html`<input inputmode="numeric" name=${nameOf(queue)} .value=${text}
      @input=${(event) => { wanted.offsets[nameOf(queue)] = event.target.value.trim(); }}>`,
    { fault: isOffset(text) || text === String(queue.offset) ? '' : 'A whole number',
      hint: `now ${count(queue.offset)} of ${count(queue.maxOffset)}` });
  })}</div>`;
}

function target(wanted, queues) {
  if (wanted.to === 'time') return new Date(wanted.time).toISOString();
  if (wanted.to !== 'queues') return wanted.to;
  return Object.fromEntries(moves(wanted, queues).map((queue) => [nameOf(queue), exact(wanted.offsets[nameOf(queue)])]));
}

/** What a reset does, in a sentence. */
function effect(wanted, queues, kept) {
  if (wanted.to === 'latest') {
    const skipped = queues.reduce((all, queue) => all + Number(queue.lag), 0);
    return skipped ? `${plural(skipped, 'message')} it has not consumed will be passed over.`
      : 'Nothing waits: nothing is passed over.';
  }
  if (wanted.to === 'time') {
    return `It will consume what was stored since ${clock(wanted.time, false)}: again what it had, and nothing of what is older.`;
  }
  if (wanted.to === 'queues') {
    const moved = moves(wanted, queues);
    if (!moved.length) return 'Nothing is changed yet.';
    return moved.map((queue) => {
      const to = wanted.offsets[nameOf(queue)];
      const does = BigInt(to) < BigInt(queue.offset) ? `${plural(between(to, queue.offset), 'message')} again`
        : `${plural(between(queue.offset, to), 'message')} passed over`;
      return `Queue ${queue.queueId}: ${does}.`;
    }).join(' ');
  }
  if (!kept.length) return 'It will consume all that is kept, again what it had.';
  const all = kept.reduce((sum, queue) => sum + Number(between(queue.minOffset, queue.maxOffset)), 0);
  const again = queues.reduce((sum, queue) => sum + Math.max(0, Number(between(firstOf(kept, queue), queue.offset))), 0);
  if (all === 1) return `It will consume the one message that is kept${again ? ', again' : ''}.`;
  return `It will consume all ${plural(all, 'message')} that are kept, ${count(again)} of them again.`;
}

const firstOf = (kept, queue) => kept.find((each) => nameOf(each) === nameOf(queue))?.minOffset ?? 0;
