import { html } from '../core/lib.js';
import { path, put } from '../core/api.js';
import { go } from '../core/router.js';
import { ask } from '../parts/dialog.js';
import { field } from '../parts/fields.js';
import { say } from '../parts/said.js';

const NAME = /^[%|a-zA-Z0-9_-]+$/;
const LONGEST = 127;
const MOST_QUEUES = 1024;
const TYPES = [
  ['NORMAL', 'Normal: any message'],
  ['FIFO', 'FIFO: in order within a key'],
  ['DELAY', 'Delay: delivered later'],
  ['TRANSACTION', 'Transaction: stored with a local transaction'],
  ['MIXED', 'Mixed: any of these'],
];

export function createTopic() {
  const topic = { name: '', queues: '8', type: 'NORMAL' };
  const set = (name) => (event) => { topic[name] = event.target.value; };
  ask({
    title: 'New topic',
    verb: 'Create topic',
    valid: () => topic.name && !nameFault(topic.name) && !queuesFault(topic.queues),
    fields: () => html`
      ${field('Name', html`<input .value=${topic.name} @input=${set('name')} maxlength="255" autocomplete="off"
        spellcheck="false" autofocus
        name="topic">`, { fault: nameFault(topic.name), hint: 'Letters, digits, _ - % |' })}
      <div class="two">
        ${field('Queues at each broker', html`<input type="number" min="1" max=${MOST_QUEUES} .value=${topic.queues}
          @input=${set('queues')}
          name="queues">`, { fault: queuesFault(topic.queues), hint: 'As many members of a group can share it' })}
        ${field('Type', html`<select @change=${set('type')} name="type">${TYPES.map(([value, name]) => html`<option
          value=${value}>${name}</option>`)}</select>`)}
      </div>`,
    async act() {
      await put(path`topics/${topic.name}`, { queues: Number(topic.queues), type: topic.type });
      say(`Topic ${topic.name} is created`);
      go(['topics', topic.name]);
    },
  });
}

function nameFault(name) {
  if (name.length > LONGEST) return `At most ${LONGEST} letters`;
  return name && !NAME.test(name) ? 'Letters, digits, _ - % | only' : '';
}

function queuesFault(text) {
  const queues = Number(text);
  return Number.isInteger(queues) && queues >= 1 && queues <= MOST_QUEUES ? '' : `A whole number, 1 to ${MOST_QUEUES}`;
}
