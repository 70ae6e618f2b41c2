// Steps through the executions of the page. Everything that is shown stands in the page already or in its data; texts go in as text,
// never as markup.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const add = (parent, tag, className, text) => {
    const child = document.createElement(tag);
    if (className) child.className = className;
    if (text !== undefined) child.textContent = text;
    parent.append(child);
    return child;
  };
  const COLORS = 6;

  // The states after each moment, the first before all of them.
  const statesOf = (data) => {
    let state = {
      memory: data.initial,
      threads: data.threads.map((thread) => ({
        at: null, calls: "", buffer: [], registers: new Map(thread.registers),
      })),
      printed: "",
      changed: new Set(),
    };
    const states = [state];
    for (const moment of data.moments) {
      const memory = state.memory.slice();
      const changed = new Set();
      for (const [location, value] of moment.memory) {
        memory[location] = value;
        changed.add("memory " + location);
      }
      const threads = state.threads.map((thread) => ({ ...thread }));
      for (const [kind, lane, id, text] of moment.buffer) {
        const thread = threads[lane];
        if (!thread) continue;
        if (kind === "in") {
          thread.buffer = [...thread.buffer, { id, text }];
          changed.add("buffer " + lane + " " + id);
        } else {
          thread.buffer = thread.buffer.filter((entry) => entry.id !== id);
        }
      }
      for (const [lane, name, value] of moment.registers) {
        threads[lane].registers = new Map(threads[lane].registers).set(name, value);
        changed.add("register " + lane + " " + name);
      }
      const acting = threads[moment.lane];
      acting.at = moment.at || acting.at;
      acting.calls = moment.calls;
      state = { memory, threads, changed, printed: state.printed + moment.printed };
      states.push(state);
    }
    return states;
  };

  class Stepper {
    constructor(article, data) {
      this.article = article;
      this.data = data;
      this.states = statesOf(data);
      this.step = data.moments.length;
      this.find = (what) => article.querySelector(what);
      this.panel = this.find(".state");
      this.slider = this.find(".stepper input");
      this.graph = this.find(".graph svg");
      this.slider.max = this.last;
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
      const go = { first: () => 0, back: () => this.step - 1, next: () => this.step + 1, last: () => this.last };
      for (const button of article.querySelectorAll("[data-go]")) {
        button.addEventListener("click", () => this.show(go[button.dataset.go]()));
      }
      this.graph.addEventListener("click", (event) => {
        const node = event.target.closest(".node");
        if (node) this.show(Number(node.dataset.node) + 1);
      });
      for (const box of article.querySelectorAll("[data-edges]")) {
        const none = !this.graph.querySelector(".edge." + box.dataset.edges);
        box.parentElement.hidden = none;
        box.addEventListener("change", () =>
          this.graph.classList.toggle("no-" + box.dataset.edges, !box.checked));
      }
      this.find(".stepper").hidden = false;
      this.panel.hidden = false;
      this.graph.classList.add("stepping");
      this.show(this.last, false);
    }

    get last() { return this.data.moments.length; }

    // After this many moments.
    show(step, follow = true) {
      this.step = Math.max(0, Math.min(this.last, step));
      this.slider.value = this.step;
      const moment = this.data.moments[this.step - 1];
      this.slider.setAttribute("aria-valuetext", moment ? moment.what : "the start");
      this.find(".count").textContent = this.step + " of " + this.last;
      for (const button of this.article.querySelectorAll("[data-go]")) {
        const back = button.dataset.go === "first" || button.dataset.go === "back";
        button.disabled = this.step === (back ? 0 : this.last);
      }
      this.showNow(moment);
      this.showGraph(follow);
      this.showState(this.states[this.step], moment);
      this.showSource(moment, follow);
    }

    // Scrolls to what matters: the critical cycle, else the step that is shown.
    showMatter() {
      const node = this.graph.querySelector(".node.critical rect, .node.now rect");
      if (node) reveal(this.find(".scroll"), node);
      const line = this.find(".line.primary, .line.here");
      if (line) reveal(this.find("section.source"), line);
    }

    showNow(moment) {
      const now = this.find(".now");
      now.replaceChildren();
      if (!moment) {
        now.textContent = "The start. Step forward with → or the buttons.";
        return;
      }
      add(now, "b", "", this.data.threads[moment.lane].name);
      if (moment.code) add(now, "code", "", moment.code);
      now.append(moment.what);
      if (moment.at) add(now, "small", "", "line " + moment.at.split(":")[1]);
      if (this.data.repeats !== null && this.step === this.last) {
        add(now, "small", "", "then again from step " + (this.data.repeats + 1) + ", for ever");
      }
    }

    showGraph(follow) {
      const now = this.step - 1;
      for (const node of this.graph.querySelectorAll(".node, .bar")) {
        const at = Number(node.dataset.node);
        node.classList.toggle("future", at > now);
        node.classList.toggle("now", at === now && node.matches(".node"));
      }
      for (const edge of this.graph.querySelectorAll(".edge")) {
        const at = Math.max(Number(edge.dataset.from), Number(edge.dataset.to));
        edge.classList.toggle("future", at > now);
        edge.classList.toggle("hot", at === now);
      }
      const node = this.graph.querySelector(".node.now rect");
      if (follow && node) reveal(this.find(".scroll"), node);
    }

    showState(state, moment) {
      this.panel.replaceChildren();
      const memory = this.data.locations.length ? add(this.panel, "div", "card") : document.createElement("div");
      add(memory, "h4", "", "Memory");
      const list = add(memory, "div", "memory");
      this.data.locations.forEach((name, index) => {
        const row = add(list, "div");
        add(row, "span", "name", name).title = name;
        const value = state.memory[index];
        const cell = add(row, "span", "value", value === null ? "?" : value);
        if (value === null) cell.title = "not known";
        cell.classList.toggle("changed", state.changed.has("memory " + index));
        row.dataset.location = name;
      });
      state.threads.forEach((thread, lane) => this.showThread(thread, lane, state, moment));
      if (state.printed) {
        const card = add(this.panel, "div", "card");
        add(card, "h4", "", "Output");
        add(card, "code", "output", state.printed);
      }
    }

    showThread(thread, lane, state, moment) {
      const card = add(this.panel, "div", "card t" + (lane % COLORS));
      card.dataset.thread = lane;
      card.classList.toggle("acts", Boolean(moment) && moment.lane === lane);
      add(card, "span", "title", this.data.threads[lane].name);
      const line = thread.at && thread.at.split(":")[1];
      const where = [line && "line " + line, thread.calls].filter(Boolean).join(", in ");
      if (where) add(card, "div", "where", where);
      const row = (title, className) => {
        const row = add(card, "div", "rowed " + className);
        add(row, "span", "", title);
        return row;
      };
      // Where no store ever waits, buffers say nothing.
      if (this.states.some((state) => state.threads[lane].buffer.length)) {
        const buffer = row("buffer", "buffer");
        for (const entry of thread.buffer) {
          const chip = add(buffer, "span", "chip in", entry.text);
          chip.classList.toggle("changed", state.changed.has("buffer " + lane + " " + entry.id));
        }
        if (!thread.buffer.length) add(buffer, "span", "", "empty");
      }
      if (thread.registers.size) {
        const registers = row("registers", "registers");
        for (const [name, value] of thread.registers) {
          const chip = add(registers, "span", "chip", name + "=" + value);
          chip.classList.toggle("changed", state.changed.has("register " + lane + " " + name));
        }
      }
    }

    showSource(moment, follow) {
      for (const line of this.article.querySelectorAll(".line.here")) line.classList.remove("here");
      if (!moment || !moment.at) return;
      const line = this.find('.line[data-at="' + moment.at + '"]');
      if (!line) return;
      line.classList.add("here");
      if (follow) reveal(this.find("section.source"), line);
    }
  }

  // Scrolls a pane, and nothing but the pane, so that something in it is seen; lines are read from their start.
  const reveal = (pane, what) => {
    const [frame, box] = [pane.getBoundingClientRect(), what.getBoundingClientRect()];
    const room = 24;
    if (box.top < frame.top + room || box.bottom > frame.bottom - room) {
      pane.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
    }
    if (!pane.matches(".scroll")) return;
    if (box.left < frame.left + room || box.right > frame.right - room) {
      pane.scrollLeft += box.left - frame.left - Math.min(room * 2, (frame.width - box.width) / 2);
    }
  };

  const articles = [...document.querySelectorAll("main article")];
  const data = JSON.parse(byId("moments").textContent);
  const steppers = articles.map((article, index) => data[index] && new Stepper(article, data[index]));

  // One part at a time: that of the address, else the first that has an execution.
  let current = 0;
  const select = () => {
    const asked = articles.findIndex((article) => "#" + article.id === location.hash);
    const first = steppers.findIndex(Boolean);
    current = asked >= 0 ? asked : Math.max(0, first);
    articles.forEach((article, index) => { article.hidden = index !== current; });
    document.querySelectorAll(".overview a").forEach((link, index) => {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (steppers[current]) steppers[current].showMatter();
  };
  addEventListener("hashchange", select);
  select();

  addEventListener("keydown", (event) => {
    const stepper = steppers[current];
    const busy = event.target.matches && event.target.matches("input, select, textarea");
    if (!stepper || busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = {
      ArrowRight: stepper.step + 1, ArrowLeft: stepper.step - 1, Home: 0, End: stepper.last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    stepper.show(to);
  });

  // The theme of the system, or one that the user chose; where nothing can be stored it holds for this visit.
  const themes = ["auto", "light", "dark"];
  const button = byId("theme");
  const store = (work) => { try { return work(); } catch { return null; } };
  let theme = store(() => localStorage.getItem("fencepost-theme")) || "auto";
  if (!themes.includes(theme)) theme = "auto";
  const paint = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store(() => localStorage.setItem("fencepost-theme", theme));
    paint();
  });
  button.hidden = false;
  paint();
})();
