// Frames that were fetched once: the page is sent their names, and the panel asks the server for those it lacks. While
// they are made, the panel asks which ones are there, so that the page need not be drawn again for each.
const FRAMES = "/lab/frames"
const MADE = "/lab/made"
const [SOON, LATER, SILENCE] = [250, 600, 3000] // milliseconds to the next question: before all can be dragged, then, and where nobody answers
const AT_ONCE = 100 // names in one request
const FORGET = 2000 // frames kept, after which those that no panel shows now are forgotten
const fetched = new Map(), under = new Set() // name → frame; names that were asked for
const made = new Map() // name of a job → its frames as the server last told them, [place, name] each

// The frames that the page was sent, and those that their jobs have made since.
export function withMade(data) {
  const since = ({ job, constant }) => (made.get(job) ?? []).map(([at, name]) => [constant ? 0 : data.grid.indexOf(at), name])
  return { ...data, tracks: data.tracks.map((t) => ({ ...t, frames: { ...Object.fromEntries(since(t).filter(([i]) => i >= 0)), ...t.frames } })) }
}
// Ask what is made meanwhile; `come` is called where there is more.
export function follow(root, data, come) {
  const jobs = data.tracks.map((t) => t.job).filter(Boolean), complete = () => Number(root.dataset.missing) === 0
  if (root.asking || !jobs.length || complete()) return
  for (const job of made.keys()) if (!jobs.includes(job)) made.delete(job)
  const ask = async () => {
    const found = complete() ? null : await fetch(`${MADE}/${jobs.join(",")}`).then((answer) => answer.json()).catch(() => null)
    const more = jobs.some((job) => (found?.[job]?.length ?? 0) > (made.get(job)?.length ?? 0))
    root.unheard = !Object.keys(found ?? {}).length
    Object.entries(found ?? {}).forEach(([job, frames]) => made.set(job, frames))
    root.asking = 0
    if (more) come()
    else if (root.isConnected) follow(root, root.component.data, come)
  }
  root.asking = setTimeout(ask, root.unheard ? SILENCE : Number(root.dataset.beyond) ? SOON : LATER)
}
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
