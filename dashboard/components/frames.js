// Frames that were fetched once: the page is sent their names, and the panel asks the server for those it lacks.
const FRAMES = "/lab/frames"
const AT_ONCE = 100 // names in one request
const FORGET = 2000 // frames kept, after which those that no panel shows now are forgotten
const fetched = new Map(), under = new Set() // name → frame; names that were asked for

const names = (data) => data.tracks.flatMap((track) => Object.values(track.frames)).filter((frame) => typeof frame === "string")
// Frames in place of their names. One that is not here yet is absent, as one that is not computed.
export function withFrames(data) {
  const there = (frames) => Object.entries(frames).map(([at, frame]) => [at, typeof frame === "string" ? fetched.get(frame) : frame])
  return { ...data, tracks: data.tracks.map((t) => ({ ...t, frames: Object.fromEntries(there(t.frames).filter(([, frame]) => frame)) })) }
}
// Fetch what is lacking; `come` is called when some of it is there, `again` where the server did not answer.
export function fetchFrames(data, come, again) {
  const wanted = names(data), lacking = wanted.filter((name) => !fetched.has(name) && !under.has(name))
  if (fetched.size > FORGET) [...fetched.keys()].filter((name) => !wanted.includes(name)).forEach((name) => fetched.delete(name))
  for (let first = 0; first < lacking.length; first += AT_ONCE) {
    const some = lacking.slice(first, first + AT_ONCE)
    some.forEach((name) => under.add(name))
    fetch(`${FRAMES}/${some.join(",")}`).then((answer) => answer.json()).then((found) => {
      Object.entries(found).forEach(([name, frame]) => fetched.set(name, frame))
      return Object.keys(found).length ? come : () => null
    }, () => again).then((then) => {
      some.forEach((name) => under.delete(name))
      then()
    })
  }
}
