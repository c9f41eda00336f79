import uPlot from '/lib/uplot/dist/uPlot.esm.js';
import { html, render, nothing } from '../core/lib.js';
import { clock, hourMinute, text } from '../core/format.js';
import { colour, theme } from '../core/theme.js';

const HEIGHT = 168;
const WINDOW_S = 300;
/** Steps of an axis of bytes. */
export const BINARY = Array.from({ length: 50 }, (_, i) => 2 ** i);
const FONT = '11px system-ui, sans-serif';

/**
 * <mq-chart>: figures over the last minutes, the newest named in the legend; under the pointer, those of that moment.
 *
 * Properties: heading; lines [{name, tone}]; data, the columns of a Series; show, value => [figure, unit]; top, the least the axis
 * reaches; steps it may have.
 */
class Chart extends HTMLElement {
  #plot = null;
  #at = null;
  #ends = [];

  connectedCallback() {
    this.#legend();
    const resized = new ResizeObserver(() => this.#fit());
    resized.observe(this);
    this.#ends = [() => resized.disconnect(), theme.watch(() => this.#build())];
  }

  disconnectedCallback() {
    this.#ends.forEach((end) => end());
    this.#plot?.destroy();
    this.#plot = null;
  }

  set data(columns) {
    this.columns = columns;
    if (!this.isConnected) return;
    if (!this.#plot || this.#plot.series.length !== columns.length) this.#build();
    else this.#plot.setData(columns);
    this.#legend();
  }

  #fit() {
    if (!this.#plot) this.#build();
    else if (this.clientWidth) this.#plot.setSize({ width: this.querySelector('.plot').clientWidth, height: HEIGHT });
  }

  #build() {
    const place = this.querySelector('.plot');
    if (!place?.clientWidth || !this.columns) return;
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(place.clientWidth), this.columns, place);
  }

  #options(width) {
    const ink = colour('ink-3');
    const axis = { stroke: ink, font: FONT, ticks: { show: false }, grid: { stroke: colour('line'), width: 1 } };
    return {
      width,
      height: HEIGHT,
      padding: [8, 16, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'charts', setSeries: false }, points: { size: 7 } },
      hooks: { setCursor: [(plot) => this.#hover(plot.cursor.idx)] },
      scales: {
        x: { time: true, range: () => span(this.columns[0]) },
        y: { range: (plot, least, most) => [0, Math.max(most ?? 0, this.top ?? 1) * 1.12] },
      },
      axes: [
        { ...axis, grid: { show: false }, size: 24, space: 72, values: (plot, times) => times.map((time) => hourMinute(time,
          times[1] - times[0] < 60)) },
        { ...axis, size: 60, space: 36, ...(this.steps ? { incrs: this.steps } : {}), values: (plot,
          values) => values.map((value) => text(this.show(value))) },
      ],
      series: [{}, ...this.lines.map(({ tone }, i) => ({
        stroke: colour(tone),
        width: 1.5,
        fill: i === 0 ? colour(tone).replace('rgb(', 'rgba(').replace(')', ', .09)') : undefined,
        points: { show: false },
      }))],
    };
  }

  #hover(index) {
    this.#at = index ?? null;
    this.#legend();
  }

  #legend() {
    const columns = this.columns ?? [[]];
    const at = this.#at ?? columns[0].length - 1;
    const moment = this.#at === null ? nothing : html`<time>${clock(columns[0][at] * 1000, false)}</time>`;
    render(html`<div class="chart-head"><h3>${this.heading}</h3>${moment}
      <ul>${this.lines.map(({ name, tone }, i) => html`<li><i class=${tone}></i>${name}
        <b>${text(this.show(columns[i + 1]?.[at]))}</b></li>`)}
      </ul></div><div class="plot"></div>`, this);
  }
}

/** Five minutes, the newest moment at the right. */
function span(times) {
  const end = times.length ? times[times.length - 1] : Date.now() / 1000;
  return [end - WINDOW_S, end];
}

customElements.define('mq-chart', Chart);
