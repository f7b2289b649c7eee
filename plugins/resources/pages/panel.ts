import { html, SafeHtml } from "framewright/host";

/** A part of a record's page: printed whole by `{{ panels }}`, or part by part. */
export class Panel extends SafeHtml {
  readonly title: string;
  readonly content: SafeHtml;
  readonly action_bar: SafeHtml;

  constructor(name: string, title: string, content: SafeHtml, actions: SafeHtml, total?: string) {
    const id = `panel-${name}`;
    const count = total === undefined ? "" : html` <span class="fw-count">${total}</span>`;
    super(
      html`<section class="fw-panel" aria-labelledby="${id}"><header class="fw-panel-header"><h2 id="${id}">${title}${count}</h2>${actions}</header>${content}</section>`
        .html,
    );
    this.title = title;
    this.content = content;
    this.action_bar = actions;
  }
}
