// An exception in a callback, half a second into the wait.
setTimeout(() => {
  throw new Error('sabotage in a callback');
}, 500);
