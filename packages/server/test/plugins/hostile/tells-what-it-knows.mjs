import { answer, manifest, results, talk } from './talk.mjs'

// It returns all it was given, as an answer and in its log.
let given
talk(
  ({ id }) => {
    process.stderr.write(`${JSON.stringify(given)}\n`)
    answer(id, results(JSON.stringify({ given, env: process.env })))
  },
  { initialize: ({ params }) => ((given = params), manifest) },
)
