// The page of capplan serve. It asks the server again whenever a field changes,
// shows the sections that the server makes, and keeps what was asked in the
// fragment of the URL, which no server is told.
"use strict";

const $ = (id) => document.getElementById(id);

// A slider goes from a quarter of the value to four times it, evenly in ratio.
const ratio = (slider) => 4 ** (slider.value / 100);

const digits = (x) => String(Number(x.toPrecision(4)));

// scaled multiplies the numbers of a quantity such as 60..72..90/min: those before
// what it is per.
function scaled(text, factor) {
  const [head, ...per] = text.split("/");
  const out = head.replace(/\d+(\.\d+)?([eE][+-]?\d+)?/g, (n) => digits(Number(n) * factor));
  return [out, ...per].join("/");
}

// rest scales what a share leaves to 100 %, so that it stays below.
function rest(text, factor) {
  const whole = text.includes("%") ? 100 : 1;
  return text.replace(/\d+(\.\d+)?/g, (n) => digits(Math.max(0, whole - (whole - Number(n)) * factor)));
}

const shares = /(percentile|availability|max_utilization)$/;

// Counts stay whole.
const counts = /(spare|zones|survive|limit)$/;

const rounded = (text) => text.replace(/\d+(\.\d+)?/g, (n) => String(Math.round(Number(n))));

// moved is a text by the slider of its field.
function moved(name, text, factor) {
  if (shares.test(name)) return rest(text, 1 / factor);
  return counts.test(name) ? rounded(scaled(text, factor)) : scaled(text, factor);
}

// knob makes a field with a slider below it. changed is called with its text.
function knob(name, label, value, changed) {
  const box = document.createElement("div");
  box.className = "field";
  const id = "field-" + name.replace(/[^a-z0-9]+/gi, "-");
  const title = document.createElement("label");
  title.htmlFor = id;
  title.textContent = label;
  const text = document.createElement("input");
  text.id = id;
  text.name = name;
  text.value = value;
  text.spellcheck = false;
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = -100;
  slider.max = 100;
  slider.step = 1;
  slider.value = 0; // last: a slider without its ends begins elsewhere
  slider.setAttribute("aria-label", label + ", slider");
  let base = value;
  // A field without a number has nothing to move.
  const say = () => {
    slider.setAttribute("aria-valuetext", text.value || "none");
    slider.disabled = !/\d/.test(text.value);
  };
  text.addEventListener("input", () => {
    base = text.value;
    slider.value = 0;
    say();
    changed(name, text.value);
  });
  slider.addEventListener("input", () => {
    text.value = moved(name, base, ratio(slider));
    say();
    changed(name, text.value);
  });
  say();
  box.append(title, text, slider);
  return box;
}

// What is asked. Both questions keep their fields when the other is looked at.
const state = {
  ask: "size",
  size: {
    kind: "rate", objective: "max_wait", rate: "2/min", service_time: "5min", load: "120",
    max_wait: "20s", percentile: "80%", max_blocking: "1%", max_mean_wait: "10s", max_response: "6min",
    max_mean_response: "6min", max_utilization: "85%", arrival_scv: "", service_scv: "", patience: "", price: "",
    spare: "", zones: "", survive: "",
  },
  scenario: "",
  set: {},
};

const labels = {
  rate: "Arrivals", service_time: "Mean service time", load: "Load in erlangs", max_wait: "Longest wait",
  percentile: "Share it holds for", max_blocking: "Share at most", max_mean_wait: "Mean wait at most",
  max_response: "Wait and service at most", max_mean_response: "Mean at most", max_utilization: "Busy share at most",
  arrival_scv: "SCV of the gaps (empty: 1)", service_scv: "SCV of the service times (empty: 1)",
  patience: "Mean patience (empty: nobody leaves)", price: "Price of a server, such as 0.42/h or $300/month (empty: none)",
  spare: "Any servers that may be lost (empty: none)", zones: "Zones that they stand in (empty: one)",
  survive: "Zones that may be lost (empty: one of them)",
};

function sizeFields() {
  const s = state.size;
  const load = s.kind === "load" ? ["load", "service_time"] : ["rate", "service_time"];
  const limit = [s.objective];
  if (s.objective === "max_wait" || s.objective === "max_response") limit.push("percentile");
  return { load, limit, price: ["price"], spread: ["arrival_scv", "service_scv", "patience"],
    room: ["spare", "zones", "survive"] };
}

function showSize() {
  const s = state.size, f = sizeFields();
  $("load-kind").value = s.kind;
  $("objective").value = s.objective;
  const changed = (name, text) => { s[name] = text; redraw(); };
  for (const [id, names] of [["size-load", f.load], ["size-limit", f.limit], ["size-price", f.price], ["size-spread", f.spread], ["size-room", f.room]]) {
    $(id).replaceChildren(...names.map((n) => knob(n, labels[n], s[n], changed)));
  }
  $("size-more").open = f.spread.some((n) => s[n]);
  $("size-safe").open = f.room.some((n) => s[n]);
}

// sizeValues are the fields that are filled in.
function sizeValues() {
  const f = sizeFields(), q = {};
  for (const n of [...f.load, ...f.limit, ...f.price, ...f.spread, ...f.room]) if (state.size[n].trim()) q[n] = state.size[n].trim();
  return q;
}

// whole is a count as a number; what is none goes as it is, to be refused.
const whole = (text) => text && !isNaN(text) ? Number(text) : text;

// sizeQuestion is the body for /v1/size. What servers cost is asked of a scenario.
function sizeQuestion() {
  const { price, spare, zones, survive, ...q } = sizeValues();
  if (spare || zones || survive) q.headroom = { spare: whole(spare), zones: whole(zones), survive: whole(survive || (zones && "1")) };
  return q;
}

// sizeScenario is the same question as a scenario. A text of JSON is one of YAML.
function sizeScenario() {
  const q = sizeValues(), y = (t) => JSON.stringify(t);
  const lines = ["# Made by the page of capplan serve. Run it with", "#", "#     capplan plan scenario.yaml", "#", "load:"];
  lines.push(q.load ? `  erlangs: ${y(q.load)}` : `  rate: ${y(q.rate || "")}`);
  if (q.arrival_scv) lines.push(`  arrival_scv: ${y(q.arrival_scv)}`);
  const service = { time: q.service_time, scv: q.service_scv, patience: q.patience };
  if (Object.values(service).some(Boolean)) {
    lines.push("service:");
    for (const [k, v] of Object.entries(service)) if (v) lines.push(`  ${k}: ${y(v)}`);
  }
  lines.push("objectives:");
  for (const n of [...sizeFields().limit, ...sizeFields().room]) if (q[n]) lines.push(`  ${n}: ${y(q[n])}`);
  if (q.price) lines.push("machines:", `  - {name: servers, price: ${y(q.price)}}`);
  return lines.join("\n") + "\n";
}

let token = sessionStorage.getItem("capplan-token") || "";

// send posts a question.
function send(path, body, accept, signal) {
  const headers = { "Content-Type": "application/json", Accept: accept };
  if (token) headers.Authorization = "Bearer " + token;
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

function showProblem(p) {
  const box = $("problem");
  box.hidden = !p;
  for (const e of document.querySelectorAll("[aria-invalid]")) {
    e.removeAttribute("aria-invalid");
    e.removeAttribute("aria-errormessage");
  }
  if (!p) return;
  const what = document.createElement("p");
  what.textContent = (p.kind === "infeasible" ? "No answer: " : "") + p.reason + (p.want ? ", want " + p.want : "");
  box.replaceChildren(what);
  if (p.text && state.ask === "plan") {
    const line = document.createElement("pre");
    line.textContent = `line ${p.line}: ${p.text}`;
    box.append(line);
  }
  // An error of a line of a scenario begins with the name of what is wrong in it.
  const name = p.field || (/^(\w+) = /.exec(p.reason) || [])[1] || "";
  const wrong = state.ask === "plan" && !p.field ? $("scenario") : fieldOf(name.replaceAll("-", "_"));
  if (!wrong) return;
  wrong.setAttribute("aria-invalid", "true");
  wrong.setAttribute("aria-errormessage", "problem");
}

// fieldOf finds the field of a value by its name, or by its path in the scenario
// that a size with a price is asked as.
function fieldOf(name) {
  const last = name.split(".").pop(), of = { erlangs: "load", time: "service_time", scv: "service_scv" };
  return document.getElementsByName(name)[0] || document.getElementsByName(of[last] || last)[0];
}

// showAnswer shows the sections of an answer. A draft has not all of them yet:
// those that it lacks stay where they are, pale, until they come too.
function showAnswer(html, draft) {
  const box = $("answer"), fresh = document.createElement("template");
  fresh.innerHTML = html; // of this server, which escapes what it is asked
  if (!draft || !box.querySelector("section")) {
    box.replaceChildren(fresh.content);
    return;
  }
  const kept = [...box.querySelectorAll("section")];
  let last = null;
  for (const section of [...fresh.content.querySelectorAll("section")]) {
    const old = kept.findIndex((k) => k.id === section.id);
    if (old >= 0) kept.splice(old, 1)[0].replaceWith(section);
    else if (last) last.after(section);
    else box.prepend(section);
    last = section;
  }
  for (const section of kept) section.classList.add("stale");
}

const unanswered = { reason: "the server does not answer: is capplan serve still running?" };

let asking = null, waiting = 0;

// redraw asks the question of the fields as they are, in place of one that is
// still under way. A scenario is asked for its nominal answer first, and for all
// of it once nothing has changed for a moment.
function redraw(draft = true) {
  remember();
  if (draft) $("kept").textContent = ""; // it is of what was asked before
  clearTimeout(waiting);
  if (asking) asking.abort();
  const mine = asking = new AbortController();
  const price = state.ask === "size" && state.size.price.trim() !== "";
  const size = state.ask === "size" && !price;
  const request = price ? send("page/plan", { scenario: sizeScenario(), draft }, "application/json", mine.signal) : size ? send("v1/size", sizeQuestion(), "text/html", mine.signal)
    : send("page/plan", { scenario: state.scenario, set: state.set, draft }, "application/json", mine.signal);
  $("answer").setAttribute("aria-busy", "true");
  request.then(async (r) => {
    if (r.status === 401) {
      $("token-form").hidden = false;
      $("token").focus();
    }
    if (r.status === 429) {
      waiting = setTimeout(() => redraw(draft), 1000);
      return;
    }
    if (!r.ok) {
      showProblem((await r.json()).error);
      $("answer").setAttribute("aria-busy", "false");
      $("status").textContent = "No answer";
      return;
    }
    const answer = size ? { html: await r.text() } : await r.json();
    if (mine !== asking) return;
    showProblem(null);
    showAnswer(answer.html, answer.draft);
    $("answer").setAttribute("aria-busy", "false");
    if (answer.knobs && !price) showKnobs(answer.knobs);
    const lead = $("answer").querySelector(".lead");
    $("status").textContent = lead ? lead.textContent + (answer.draft ? " (more is being computed)" : "") : "";
    if (answer.draft) waiting = setTimeout(() => redraw(false), 300);
  }).catch((e) => {
    if (e.name === "AbortError") return;
    showProblem(unanswered);
    $("status").textContent = "No answer";
    $("answer").setAttribute("aria-busy", "false");
  });
}

let shown = "";

// showKnobs makes the fields of a scenario, where others are there now.
function showKnobs(all) {
  const names = all.map((k) => k.path).join(" ");
  if (names === shown) return;
  shown = names;
  $("knobs").replaceChildren(...all.map((k) => knob(k.path, k.label, state.set[k.path] || k.value, (path, text) => {
    state.set[path] = text;
    redraw();
  })));
}

// remember keeps what is asked in the URL.
function remember() {
  const u = new URLSearchParams();
  u.set("ask", state.ask);
  if (state.ask === "size") {
    u.set("kind", state.size.kind);
    u.set("objective", state.size.objective);
    for (const [k, v] of Object.entries(sizeValues())) u.set(k, v);
  } else {
    if (state.scenario !== example) u.set("scenario", state.scenario);
    for (const [k, v] of Object.entries(state.set)) u.set("set." + k, v);
  }
  history.replaceState(null, "", "#" + u);
}

// recall reads it back.
function recall() {
  const u = new URLSearchParams(location.hash.slice(1));
  state.ask = u.get("ask") === "plan" ? "plan" : "size";
  for (const [k, v] of u) {
    if (k in state.size) state.size[k] = v;
    if (k.startsWith("set.")) state.set[k.slice(4)] = v;
  }
  state.scenario = u.get("scenario") ?? example;
}

function show() {
  $("answer").replaceChildren(); // sections of another question do not stay
  for (const a of ["size", "plan"]) {
    $(a + "-form").hidden = state.ask !== a;
    $("ask-" + a).setAttribute("aria-pressed", String(state.ask === a));
  }
  $("scenario").value = state.scenario;
  showSize();
  redraw();
}

function download(name, type, text) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

const asked = () => state.ask === "size" ? { scenario: sizeScenario(), set: {} } : { scenario: state.scenario, set: state.set };

// exported asks for a file and keeps it. What came of it stands at the buttons: an answer that comes
// later would replace it elsewhere.
async function exported(path, name, type) {
  $("kept").textContent = name + " is being made";
  try {
    const r = await send(path, asked(), type);
    if (r.ok) download(name, type, await r.text());
    else showProblem((await r.json()).error);
    $("kept").textContent = r.ok ? name + " is made" : name + " was not made";
  } catch {
    showProblem(unanswered);
    $("kept").textContent = name + " was not made";
  }
}

let example = "";

async function start() {
  for (const a of ["size", "plan"]) $("ask-" + a).addEventListener("click", () => { state.ask = a; show(); });
  $("load-kind").addEventListener("change", (e) => { state.size.kind = e.target.value; show(); });
  $("objective").addEventListener("change", (e) => { state.size.objective = e.target.value; show(); });
  $("scenario").addEventListener("input", (e) => {
    state.scenario = e.target.value;
    state.set = {};
    shown = "";
    redraw();
  });
  for (const f of ["size-form", "plan-form"]) $(f).addEventListener("submit", (e) => e.preventDefault());
  $("token-form").addEventListener("submit", (e) => {
    e.preventDefault();
    token = $("token").value;
    sessionStorage.setItem("capplan-token", token);
    $("token-form").hidden = true;
    begin();
  });
  $("export-report").addEventListener("click", () => exported("page/report", "report.html", "text/html"));
  $("export-scenario").addEventListener("click", () => exported("page/scenario", "scenario.yaml", "application/yaml"));
  $("copy-link").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      $("kept").textContent = "The link is copied";
    } catch {
      $("kept").textContent = "The link is the address of this page";
    }
  });
  window.addEventListener("hashchange", () => { recall(); shown = ""; show(); });
  await begin();
}

async function begin() {
  const r = await fetch("page/scenario.yaml", token ? { headers: { Authorization: "Bearer " + token } } : {});
  if (r.ok) example = await r.text();
  recall();
  show();
}

start();
