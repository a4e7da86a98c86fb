"use strict";

// A click on the title of a column sorts the rows of each group. Numbers begin with the largest.
const key = (row, column) => {
  const cell = row.cells[column];
  const exact = cell?.dataset.value ?? cell?.dataset.low;
  return exact === undefined ? (cell?.textContent ?? "") : Number(exact);
};

const compare = (one, other) => {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === typeof other) return one.localeCompare(other, "en", { numeric: true });
  return typeof one === "number" ? 1 : -1;
};

const sort = (table, head, column) => {
  const isNumeric = [...table.tBodies].some((body) =>
    [...body.rows].some((row) => typeof key(row, column) === "number"));
  const first = isNumeric ? "descending" : "ascending";
  const second = isNumeric ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === first ? second : first;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => row.className !== "group");
    rows.sort((one, other) => sign * compare(key(one, column), key(other, column)));
    body.append(...rows);
  }
};

// Opens the section that the address names, and all sections for a printer.
const unfold = (which) => document.querySelectorAll(which).forEach((found) => (found.open = true));
addEventListener("hashchange", () => unfold(":target > details"));
addEventListener("beforeprint", () => unfold("details"));
unfold(":target > details");

for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.className === "figure") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(table, head, column));
    head.append(button);
  });
}
