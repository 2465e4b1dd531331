// A rejection that nobody handles, half a second into the wait.
setTimeout(() => {
  Promise.reject(new Error('sabotage in a promise'));
}, 500);
