// Waiting for what happens, with a bound on every wait.

const patience = 20_000;

// What should happen at once, on a machine that may be slow.
export function soon(promise, what, bound = patience) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what}: not within ${bound} ms`)), bound);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export const once = (emitter, event) => new Promise((resolve) => emitter.once(event, (...values) => resolve(values)));

// Those who wait until something has come, and what they look for.
export class Arrivals {
    #waiting = new Set();

    // To be called when something has come.
    look() {
        for (const look of this.#waiting)
            look();
    }

    // Resolves with the first thing, of those that came and those to come, that `find` finds.
    first(find, what) {
        let look;
        const found = new Promise((resolve) => {
            look = () => {
                const result = find();
                if (result !== undefined)
                    resolve(result);
            };
            this.#waiting.add(look);
            look();
        });
        return soon(found, what).finally(() => this.#waiting.delete(look));
    }
}
