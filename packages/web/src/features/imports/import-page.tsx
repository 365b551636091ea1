import { applyImport, type ImportDto, listImports, listTasks, readImport, removeImport, undoImport } from '@carrel/api'
import { Button, Checkbox } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblem } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { ProblemNotice } from '../../ui/state/problem.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { StateMark } from './imports-page.tsx'
import { nameOf, parts } from './kinds.ts'
import { LibraryMatches } from './library-matches.tsx'
import { Report } from './report.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/imports/$importId')

/** What was read of another server, what of it is taken, and the way back. */
export const ImportPage = (): ReactNode => {
  const { t } = useTranslation('imports')
  const { moment } = useTimeText()
  const { importId: id } = route.useParams()
  const report = useRead(readImport, { params: { id } })
  const { kind, state, createdAt, version, fault } = report
  const isKnown = report.readyAt !== null
  return (
    <Page
      title={t('of', { server: nameOf(kind), when: moment(createdAt) })}
      subtitle={
        <>
          <StateMark state={state} /> {version === null ? null : t('version', { version })}
        </>
      }
      width="narrow"
    >
      {fault === null ? null : <Fault report={report} code={fault.code} />}
      <GoingOn report={report} />
      {isKnown ? <LibraryMatches report={report} /> : null}
      {isKnown ? <Report report={report} /> : null}
      {isKnown && ['ready', 'undone', 'failed'].includes(state) ? <Apply report={report} /> : null}
      <End report={report} />
    </Page>
  )
}

type FaultCode = NonNullable<ImportDto['fault']>['code']

/** What lies at an address is no file: some faults are others there. */
const codesAtAddress = ['not_found', 'wrong_kind'] as const

/** Which files it has to be is said where something else was given. */
const codesOfWrongFiles: readonly FaultCode[] = ['not_found', 'wrong_kind', 'unknown_version']

const Fault = ({ report, code }: { readonly report: ImportDto; readonly code: FaultCode }): ReactNode => {
  const { t } = useTranslation('imports')
  const { kind, source } = report
  const server = nameOf(kind)
  const isAddress = source.url !== null
  const atAddress = isAddress ? codesAtAddress.find((each) => each === code) : undefined
  return (
    <Notice kind="danger">
      {atAddress === undefined ? t(`fault.${code}`, { server }) : t(`faultAt.${atAddress}`, { server })}{' '}
      {!isAddress && codesOfWrongFiles.includes(code) ? t(`hint.${kind}`) : null}
      {code === 'unreachable' ? t('addressText') : null}
    </Notice>
  )
}

const GoingOn = ({ report: { state, progress } }: { readonly report: ImportDto }): ReactNode => {
  const { t } = useTranslation('imports')
  if (state !== 'reading' && state !== 'applying' && state !== 'undoing') return null
  return (
    <Stack gap={1} box pad={4}>
      <span role="status">{t(`state.${state}`)}</span>
      <Meter label={t(`state.${state}`)} done={progress?.current ?? 0} total={progress?.total} />
    </Stack>
  )
}

/** Everything is chosen, until somebody says otherwise, but for what everybody would see and nobody saw before. */
const Apply = ({ report: { id, privateLists } }: { readonly report: ImportDto }): ReactNode => {
  const { t } = useTranslation('imports')
  const problemOf = useProblem()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const apply = useChange(applyImport, { invalidates: [readImport, listImports, listTasks] })
  const [takesPrivate, setTakesPrivate] = useState(false)
  const choose = { ...Object.fromEntries(parts.map((part) => [part, !left.has(part)])), privateLists: takesPrivate }
  const problem = problemOf(apply.error)
  return (
    <Section title={t('take')} text={t('takeText')}>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Stack as="ul" gap={2}>
        {parts.map((part) => (
          <li key={part}>
            <Checkbox
              label={t(`part.${part}`)}
              checked={!left.has(part)}
              onChange={({ currentTarget: { checked } }) =>
                setLeft(new Set(parts.filter((each) => (each === part ? !checked : left.has(each)))))
              }
            />
          </li>
        ))}
        {privateLists === 0 ? null : (
          <li>
            <Checkbox
              label={t('privateLists', { count: privateLists })}
              checked={takesPrivate}
              disabled={left.has('lists')}
              onChange={({ currentTarget: { checked } }) => setTakesPrivate(checked)}
            />
          </li>
        )}
      </Stack>
      <div>
        <Button loading={apply.isPending} onClick={() => apply.mutate({ params: { id }, body: { choose } })}>
          {t('apply')}
        </Button>
      </div>
    </Section>
  )
}

/** Taking back what was brought, and forgetting that it was read. */
const End = ({ report: { id, state, appliedAt } }: { readonly report: ImportDto }): ReactNode => {
  const { t } = useTranslation('imports')
  const problemOf = useProblem()
  const goTo = useGoTo()
  const [leaving, setLeaving] = useState(false)
  const undo = useChange(undoImport, { invalidates: [readImport, listImports, listTasks] })
  const remove = useChange(removeImport, {
    isDeletion: true,
    invalidates: [listImports],
    onDone: () => goTo(paths.imports())(),
  })
  if (state === 'reading' || state === 'applying' || state === 'undoing') return null
  const problem = problemOf(undo.error)
  const mayUndo = state === 'applied' || (state === 'failed' && appliedAt !== null)
  return (
    <Section title={t('end')} text={mayUndo ? t('undoText') : undefined}>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <Row gap={3} wrap touch>
        {state === 'failed' ? (
          <Button component={AppLink} to={paths.imports()}>
            {t('new')}
          </Button>
        ) : null}
        {mayUndo ? (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ params: { id } })}>
            {t('undo')}
          </Button>
        ) : null}
        <Button variant="default" onClick={() => setLeaving(true)}>
          {t('forget')}
        </Button>
      </Row>
      <Confirm
        title={t('forgetTitle')}
        isOpen={leaving}
        onClose={() => setLeaving(false)}
        action={t('forget')}
        onConfirm={() => remove.mutate({ params: { id } })}
        isPending={remove.isPending}
        problem={problemOf(remove.error)}
      >
        <p>{t('forgetText')}</p>
      </Confirm>
    </Section>
  )
}
