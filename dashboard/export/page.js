for (const plot of document.querySelectorAll(".plot")) {
  const { figure, still } = JSON.parse(plot.nextElementSibling.textContent);
  const name = plot.dataset.name;
  const config = { displaylogo: false, displayModeBar: figure.layout.width ? false : undefined, responsive: !figure.layout.width, toImageButtonOptions: { format: "svg", filename: name } };
  Plotly.newPlot(plot, { ...figure, config });
  for (let fold = plot.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.addEventListener("toggle", () => fold.open && Plotly.Plots.resize(plot)); // drawn while folded, it had no width
  for (const button of plot.parentElement.querySelectorAll("button")) {
    const { width, height } = still;
    const scale = button.dataset.kind === "png" ? 2 : 1;
    button.addEventListener("click", () =>
      Plotly.downloadImage({ data: figure.data, layout: still }, { format: button.dataset.kind, filename: name, width, height, scale }));
  }
}
