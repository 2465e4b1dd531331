// Something ends the process and claims success.
setTimeout(() => process.exit(0), 500);
