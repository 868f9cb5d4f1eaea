// JSON values that differ from one in a single place.

// The path and the value of each place: of the value itself, then of members and elements at any depth.
export function paths(value, path = []) {
    const parts = value === null || typeof value !== 'object' ? [] : Object.entries(value);
    const step = (name) => Array.isArray(value) ? Number(name) : name;
    return [[path, value], ...parts.flatMap(([name, part]) => paths(part, [...path, step(name)]))];
}

// As errors name places: a.b[0].c
export const spell = (path) =>
    path.map((step) => typeof step === 'number' ? `[${step}]` : `.${step}`).join('').replace(/^\./, '');

// With another value in that place.
export function changed(value, [step, ...inner], other) {
    if (step === undefined)
        return other;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copy[step] = changed(value[step], inner, other);
    return copy;
}

// With nothing in that place, which is not the value itself.
export function without(value, path) {
    const [outer, last] = [path.slice(0, -1), path.at(-1)];
    const { [last]: left, ...others } = outer.reduce((part, step) => part[step], value);
    return changed(value, outer, typeof last === 'number' ? Object.values(others) : others);
}
