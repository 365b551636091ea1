import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest, so that none of these is still running alone when everything else is done. A machine that has run the tests
 * before remembers better; a clean clone knows only this. The end of each run prints the ten longest.
 */
const knownToBeLong = [
  'every-scheme.browser',
  'every-page.browser',
  'every-page-on-a-phone',
  'visibility.server',
  'watch.server',
  'smoke/hostile-plugins.',
  'smoke/scan-command',
  'smoke/plugins',
  'smoke/nodes-stop',
  'smoke/scan.',
  'smoke/backup',
  'smoke/crash',
  'smoke/end-together',
  'smoke/hung-storage',
  'smoke/damaged-database',
  'figures.browser',
  'browse.browser',
  'admin-people.browser',
  'admin-libraries.browser',
  'matching.browser',
  'recommendations.browser',
  'ebooks.browser',
  'identity.server',
  'scan-api.server',
  'removals.server',
  'route-access',
  'links.one-database',
  'plugins.server',
  'recommendations.server',
  'methods.one-database',
  'plugins.one-database',
  'pages.one-database',
  'hostile-pdf.unit',
  'packed-books.unit',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = knownToBeLong.findIndex((part) => moduleId.includes(part))
  return rank < 0 ? knownToBeLong.length : rank
}

/** Files of one project follow each other, since a worker that goes from project to project starts anew; in each the longest are first. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache } = this.ctx
    const sizeOf = (file: TestSpecification): number => cache.getTestSpecificationResult(file)?.duration ?? 0
    const sorted = files.toSorted(
      (a, b) =>
        groupOf(a) - groupOf(b) || nameOf(a).localeCompare(nameOf(b)) || sizeOf(b) - sizeOf(a) || rankOf(a) - rankOf(b),
    )
    return Promise.resolve(sorted)
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder

/** What has a process of its own for each file may be mixed with others of that kind. */
const nameOf = ({ project }: TestSpecification): string => (project.config.isolate ? '' : project.name)
