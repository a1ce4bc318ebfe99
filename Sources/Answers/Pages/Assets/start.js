// The last piece of every page: the piece before it says how its kind is drawn.

drawPage(JSON.parse(document.getElementById("data").textContent), document.body);
document.body.dataset.drawn = "yes";
