import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../ui/form/number-field.tsx'
import type { ControlProps } from './control-props.ts'
import { type FieldName, type FieldShape, shapeOf } from '../../metadata/fields.ts'
import { RowsField } from './rows-field.tsx'
import { useChoiceText, useTruthText } from '../../metadata/value-text.ts'
import { WordsField } from './words-field.tsx'

interface FieldControlProps extends Omit<ControlProps, 'shape'> {
  readonly field: FieldName
}

/** The input depends on the kind of the field. */
export const FieldControl = ({ field, ...rest }: FieldControlProps): ReactNode => {
  const shape = shapeOf(field)
  switch (shape.kind) {
    case 'line':
    case 'prose':
      return <TextControl {...rest} shape={shape} />
    case 'number':
      return <NumberControl {...rest} shape={shape} />
    case 'truth':
    case 'choice':
      return <ChoiceControl {...rest} shape={shape} />
    case 'words':
      return <WordsField {...rest} shape={shape} />
    case 'rows':
      return <RowsField {...rest} shape={shape} />
    case 'json':
      return <JsonControl {...rest} shape={shape} />
  }
}

type ShapeOf<Kind extends FieldShape['kind']> = Extract<FieldShape, { readonly kind: Kind }>

const TextControl = ({ id, shape, value, onChange, error }: ControlProps<ShapeOf<'line' | 'prose'>>): ReactNode => {
  const text = typeof value === 'string' ? value : ''
  return shape.kind === 'prose' ? (
    <Textarea
      id={id}
      dir="auto"
      rows={5}
      maxLength={shape.maxLength}
      value={text}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <TextInput
      id={id}
      dir="auto"
      maxLength={shape.maxLength}
      value={text}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

const NumberControl = ({ id, shape, value, onChange, error }: ControlProps<ShapeOf<'number'>>): ReactNode => (
  <NumberField
    id={id}
    hideControls
    min={shape.min}
    max={shape.max}
    allowDecimal={shape.decimals === true}
    allowNegative={false}
    value={typeof value === 'number' ? value : undefined}
    error={error}
    onChange={(next) => onChange(next ?? null)}
  />
)

const ChoiceControl = ({ id, shape, value, onChange, error }: ControlProps<ShapeOf<'truth' | 'choice'>>): ReactNode => {
  const { t } = useTranslation('editing')
  const choiceText = useChoiceText()
  const truthText = useTruthText()
  const options =
    shape.kind === 'truth'
      ? [
          { value: 'true', label: truthText(true) },
          { value: 'false', label: truthText(false) },
        ]
      : shape.choices.map((choice) => ({ value: choice, label: choiceText(choice) }))
  const change = (chosen: string): void => {
    if (chosen === '') onChange(null)
    else onChange(shape.kind === 'truth' ? chosen === 'true' : chosen)
  }
  return (
    <NativeSelect
      id={id}
      data={[{ value: '', label: t('unsaid') }, ...options]}
      value={typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''}
      error={error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

/** The typed text stays while it is no JSON; it cannot be saved like that. */
const JsonControl = ({ id, value, onChange, error }: ControlProps<ShapeOf<'json'>>): ReactNode => (
  <Textarea
    id={id}
    rows={4}
    spellCheck={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    placeholder={'{ "shelf": "B4" }'}
    value={typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value, null, 2)}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
