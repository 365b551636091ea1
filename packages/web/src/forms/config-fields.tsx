import type { PluginManifestDto } from '@carrel/api'
import { Checkbox, TagsInput, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../ui/form/fields.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import { Stack, Text } from '../ui/layout/layout.tsx'
import styles from './config-fields.module.css'

type Schema = NonNullable<PluginManifestDto['configSchema']>
type Field = Schema['fields'][number]
type Config = Readonly<Record<string, unknown>>

interface ConfigFieldsProps {
  readonly schema: Schema | null
  readonly config: Config
  readonly onChange: (config: Config) => void
  /** It explains why there is no form, when the plugin does have one. */
  readonly noForm?: string | undefined
}

/** The plugin supplies the form; without one, the config is edited as JSON. */
export const ConfigFields = ({ schema, config, onChange, noForm }: ConfigFieldsProps): ReactNode => {
  const { t } = useTranslation()
  const set = (key: string, value: unknown): void => {
    const { [key]: _, ...rest } = config
    onChange(value === undefined ? rest : { ...rest, [key]: value })
  }
  return (
    <Stack as="fieldset" gap={4} className={styles.group}>
      <legend>{t('configForm.title')}</legend>
      {schema === null ? (
        <JsonField
          label={t('configForm.json')}
          description={noForm ?? t('configForm.noForm')}
          value={config}
          onChange={(value) => onChange(isObject(value) ? value : {})}
          isObjectOnly
        />
      ) : (
        <>
          {schema.description ? (
            <Text quiet size={13}>
              {schema.description}
            </Text>
          ) : null}
          {schema.fields.length === 0 ? (
            <Text quiet size={13}>
              {t('configForm.nothing')}
            </Text>
          ) : null}
          {schema.fields.map((field) => (
            <ConfigField
              key={field.key}
              field={field}
              value={config[field.key]}
              onChange={(value) => set(field.key, value)}
            />
          ))}
        </>
      )}
    </Stack>
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ConfigFieldProps {
  readonly field: Field
  readonly value: unknown
  /** An undefined value is not sent, and the plugin uses its default. */
  readonly onChange: (value: unknown) => void
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const ConfigField = ({ field, value, onChange }: ConfigFieldProps): ReactNode => {
  const { t } = useTranslation()
  const { key, label, description, required, default: usual, example, type } = field
  const words = [
    description,
    usual === undefined || usual === null ? undefined : t('configForm.usual', { value: shown(usual) }),
    required === true ? undefined : t('configForm.optional'),
  ]
  const common = {
    name: key,
    label,
    description: words.filter(Boolean).join(' '),
    required: required === true && usual === undefined,
    withAsterisk: false,
    ...(example !== undefined && example !== null && { placeholder: shown(example) }),
  }
  switch (type) {
    case 'boolean':
      return (
        <Checkbox
          label={label}
          description={[description].filter(Boolean).join(' ')}
          checked={typeof value === 'boolean' ? value : usual === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'number':
      return <NumberField {...common} value={typeof value === 'number' ? value : undefined} onChange={onChange} />
    case 'string-array':
      return (
        <TagsInput
          {...common}
          acceptValueOnBlur
          value={Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []}
          onChange={(each) => onChange(each.length === 0 ? undefined : each)}
        />
      )
    case 'string':
      return (
        <TextField
          {...common}
          autoComplete="off"
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      )
    default:
      return <JsonField {...common} value={value} onChange={onChange} />
  }
}

interface JsonFieldProps {
  readonly label: string
  readonly description: string
  readonly required?: boolean
  readonly placeholder?: string
  readonly value: unknown
  readonly isObjectOnly?: boolean
  readonly onChange: (value: unknown) => void
}

/** A text that is no JSON cannot be saved: the browser says so at the field. */
const JsonField = ({ value, isObjectOnly = false, onChange, ...rest }: JsonFieldProps): ReactNode => {
  const { t } = useTranslation()
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, undefined, 2))
  const [isWrong, setWrong] = useState(false)
  const type = (field: HTMLTextAreaElement): void => {
    setText(field.value)
    const read = parsed(field.value)
    const fits = read !== noJson && (!isObjectOnly || read === undefined || isObject(read))
    field.setCustomValidity(fits ? '' : t('configForm.noJson'))
    setWrong(!fits)
    if (fits) onChange(read)
  }
  return (
    <Textarea
      {...rest}
      withAsterisk={false}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      value={text}
      error={isWrong ? t('configForm.noJson') : undefined}
      onChange={({ currentTarget }) => type(currentTarget)}
    />
  )
}

const noJson = Symbol('no JSON')

const parsed = (text: string): unknown => {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return noJson
  }
}
