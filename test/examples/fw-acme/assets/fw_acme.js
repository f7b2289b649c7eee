document.documentElement.dataset.acme = "here";
