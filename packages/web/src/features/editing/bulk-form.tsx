import {
  type BookCondition,
  type BulkAccepted,
  bulkEditBooks,
  bulkEditSeries,
  type Endpoint,
  type SeriesCondition,
} from '@carrel/api'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { bulkBody, type BulkStep, isReady } from './bulk-edit.ts'
import styles from './bulk-form.module.css'
import { BulkOutcome } from './bulk-outcome.tsx'
import { BulkPreview } from './bulk-preview.tsx'
import { type EntityKind, entities } from './entities.ts'
import { FieldControl } from './field-control.tsx'
import { type FieldName, isAdditive, isField } from '../../metadata/fields.ts'
import { useFieldText } from '../../metadata/value-text.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'

/** The target is either the chosen entries, or all that fulfil a condition. */
export type BulkTarget =
  | { readonly ids: readonly string[] }
  | { readonly condition: SeriesCondition | BookCondition; readonly fullTextSearch?: string }

interface BulkFormProps {
  readonly kind: EntityKind
  readonly target: BulkTarget
  /** It stands beside the button, and closes the dialog. */
  readonly closing?: ReactNode
}

/** The form changes many entries at once: the change is previewed, and can be undone. */
export const BulkForm = ({ kind, target, closing }: BulkFormProps): ReactNode => {
  const { t } = useTranslation('editing')
  const textOf = useProblemText()
  const [steps, setSteps] = useState<readonly BulkStep[]>([])
  const send = useChange(endpoints[kind])
  const trial = useChange(endpoints[kind])
  const ready = steps.filter(isReady)
  const body = { target, ...bulkBody(ready) }
  const done = send.data?.bulkEditId
  if (done !== undefined) return <BulkOutcome id={done} closing={closing} />
  const change = (next: readonly BulkStep[]): void => {
    setSteps(next)
    trial.reset()
  }
  const problem = send.error ?? trial.error
  return (
    <Stack gap={4} className={styles.form}>
      {steps.map((step, position) => (
        <StepRow
          key={step.field}
          kind={kind}
          step={step}
          onChange={(next) => change(steps.map((each, index) => (index === position ? next : each)))}
          onRemove={() => change(steps.filter((_, index) => index !== position))}
        />
      ))}
      <FieldSelect
        kind={kind}
        taken={steps.map(({ field }) => field)}
        onChoose={(field) =>
          change([...steps, { field, mode: isAdditive(kind, field) ? 'add' : 'set', value: undefined }])
        }
      />
      {problem ? <Notice kind="danger">{textOf(problem)}</Notice> : null}
      {trial.data ? <BulkPreview kind={kind} preview={trial.data} /> : null}
      <Row gap={2} align="stretch" justify="end" wrap touch>
        {closing}
        {trial.data ? (
          <Button
            loading={send.isPending}
            disabled={trial.data.wouldChange === 0}
            onClick={() => send.mutate({ body })}
          >
            {t('bulk.apply', { count: trial.data.wouldChange ?? 0 })}
          </Button>
        ) : (
          <Button
            loading={trial.isPending}
            disabled={ready.length === 0 || ready.length < steps.length}
            onClick={() => trial.mutate({ body: { ...body, dryRun: true } })}
          >
            {t('bulk.preview')}
          </Button>
        )}
      </Row>
    </Stack>
  )
}

/** The body is built from the fields of its kind. */
const endpoints: Readonly<Record<EntityKind, Endpoint<{ readonly body: object }, BulkAccepted>>> = {
  series: bulkEditSeries,
  book: bulkEditBooks,
}

interface StepRowProps {
  readonly kind: EntityKind
  readonly step: BulkStep
  readonly onChange: (step: BulkStep) => void
  readonly onRemove: () => void
}

const StepRow = ({ kind, step, onChange, onRemove }: StepRowProps): ReactNode => {
  const { t } = useTranslation('editing')
  const id = useId()
  const { field, mode, value } = step
  const label = useFieldText()(field)
  return (
    <Stack gap={1} role="group" aria-label={label}>
      <Row gap={2}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {isAdditive(kind, field) ? (
          <NativeSelect
            aria-label={t('bulk.mode')}
            value={mode}
            data={(['add', 'remove', 'set'] as const).map((each) => ({ value: each, label: t(`bulk.${each}`) }))}
            onChange={({ currentTarget }) => onChange({ ...step, mode: currentTarget.value as BulkStep['mode'] })}
          />
        ) : null}
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('bulk.leave', { field: label })}
          onClick={onRemove}
        >
          <Icon name="close" size="small" />
        </ActionIcon>
      </Row>
      <FieldControl
        id={id}
        field={field}
        value={value}
        error={undefined}
        onChange={(next) => onChange({ ...step, value: next })}
      />
    </Stack>
  )
}

interface FieldSelectProps {
  readonly kind: EntityKind
  readonly taken: readonly FieldName[]
  readonly onChoose: (field: FieldName) => void
}

const FieldSelect = ({ kind, taken, onChoose }: FieldSelectProps): ReactNode => {
  const { t } = useTranslation('editing')
  const fieldText = useFieldText()
  const fields = entities[kind].fields
    .filter((field) => !taken.includes(field))
    .map((field) => ({ value: field, label: fieldText(field) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <NativeSelect
      label={t('bulk.field')}
      value=""
      data={[{ value: '', label: t('bulk.choose') }, ...fields]}
      onChange={({ currentTarget: { value } }) => {
        if (isField(value)) onChoose(value)
      }}
    />
  )
}
