//! The text of agents: `greedy`, or `random,greedy:calls=off,mine:command="./bot 0, x"`.

/// An agent as a text names it, with the values unquoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AgentText {
    /// The name that the user gives the agent, as in `mybot=greedy`.
    pub(crate) label: Option<String>,
    pub(crate) name: String,
    /// Names and values in order. An option without `=` has no value.
    pub(crate) options: Vec<(String, Option<String>)>,
}

/// Reads the agents of a comma-separated list.
///
/// The options of an agent follow its name and a colon, and are separated by commas too. A part
/// whose first separator is an equals sign is an option of the agent before it, or begins an agent
/// with a label: `starts_agent` decides, from the name of the agent before it, what is before the
/// sign, and the word after it. A value may be quoted: separators inside quotation marks separate
/// nothing, `\"` is a quotation mark and `\\` a backslash.
pub(crate) fn parse_list(
    text: &str,
    starts_agent: impl Fn(&str, &str, &str) -> bool,
) -> Result<Vec<AgentText>, String> {
    let mut agents: Vec<AgentText> = Vec::new();
    for part in split_at_commas(text)? {
        let labelled = split_label(part);
        let is_option = |agent: &AgentText, (key, rest): (&str, &str)| {
            !starts_agent(&agent.name, key, rest.split(':').next().unwrap_or(rest))
        };
        match (agents.last_mut(), labelled) {
            (Some(agent), Some(parts)) if is_option(agent, parts) => agent.options.push(parse_option(part)?),
            (_, Some((label, rest))) => agents.push(parse_agent(Some(label), rest)?),
            (_, None) => agents.push(parse_agent(None, part)?),
        }
    }
    Ok(agents)
}

/// The label of an agent and the rest of its text. None if the first separator is no equals sign.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let at = text.find(['=', ':'])?;
    text[at..].strip_prefix('=').map(|rest| (&text[..at], rest))
}

/// The name by which tables and columns call an agent: the label in front of its canonical name
/// (`mybot=…`), or the canonical name if there is none.
///
/// ```
/// use jantaku_agents::label_of;
///
/// assert_eq!(label_of("mybot=mjai:command=./bot"), "mybot");
/// assert_eq!(label_of("greedy:calls=off"), "greedy:calls=off");
/// ```
pub fn label_of(name: &str) -> &str {
    split_label(name).map_or(name, |(label, _)| label)
}

/// The canonical name of an agent without the label that the user gives it.
pub fn without_label(name: &str) -> &str {
    split_label(name).map_or(name, |(_, rest)| rest)
}

fn parse_agent(label: Option<&str>, text: &str) -> Result<AgentText, String> {
    let (name, option) = text.split_once(':').unwrap_or((text, ""));
    let option = (!option.is_empty()).then(|| parse_option(option)).transpose()?;
    let (label, options) = (label.map(str::to_owned), option.into_iter().collect());
    Ok(AgentText { label, name: name.to_owned(), options })
}

/// Reads options without an agent, such as `deals=4,players="heuristic:calls=off"`.
pub(crate) fn parse_options(text: &str) -> Result<Vec<(String, Option<String>)>, String> {
    split_at_commas(text)?.into_iter().map(parse_option).collect()
}

/// The parts between commas outside quoted values, without surrounding spaces.
fn split_at_commas(text: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' if is_quoted => is_quoted = false,
            '"' => is_quoted = text[start..at].ends_with('='),
            ',' if !is_quoted => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if is_quoted {
        return Err(unclosed(&text[start..]));
    }
    parts.push(text[start..].trim());
    Ok(parts)
}

/// Reads `name=value`, `name="value"`, or a `name` alone, whose value is None.
fn parse_option(text: &str) -> Result<(String, Option<String>), String> {
    let Some((name, value)) = text.split_once('=') else { return Ok((text.to_owned(), None)) };
    let Some(inside) = value.strip_prefix('"') else {
        return Ok((name.to_owned(), Some(value.to_owned())));
    };
    let (mut value, mut letters) = (String::new(), inside.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next()),
            '"' if letters.as_str().is_empty() => return Ok((name.to_owned(), Some(value))),
            '"' => {
                return Err(format!(
                    "`{text}`: expected a comma or the end after the closing quotation mark"
                ));
            }
            letter => value.push(letter),
        }
    }
    Err(unclosed(text))
}

fn unclosed(text: &str) -> String {
    format!("`{text}`: the closing quotation mark is missing")
}

/// The value of an option as the text of an agent has it: in quotation marks only where it needs
/// them.
pub fn quoted(value: &str) -> String {
    let needs_quotes = |letter: char| letter == ',' || letter == '"' || letter.is_whitespace();
    if !value.is_empty() && !value.contains(needs_quotes) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(name: &str, options: &[(&str, Option<&str>)]) -> AgentText {
        let owned = |(name, value): &(&str, Option<&str>)| ((*name).to_owned(), value.map(str::to_owned));
        AgentText { label: None, name: name.to_owned(), options: options.iter().map(owned).collect() }
    }

    fn labelled(label: &str, agent: AgentText) -> AgentText {
        AgentText { label: Some(label.to_owned()), ..agent }
    }

    /// Whether a part with an equals sign starts an agent: not an option `x`, `y` or `z`.
    fn starts(_: &str, key: &str, _: &str) -> bool {
        !["x", "y", "z"].contains(&key)
    }

    #[test]
    fn options_follow_their_agent() {
        let cases: &[(&str, &[AgentText])] = &[
            ("", &[agent("", &[])]),
            ("a, b", &[agent("a", &[]), agent("b", &[])]),
            ("a:", &[agent("a", &[])]),
            ("a:x", &[agent("a", &[("x", None)])]),
            ("a:x=1,y=2,b", &[agent("a", &[("x", Some("1")), ("y", Some("2"))]), agent("b", &[])]),
            ("x=1", &[labelled("x", agent("1", &[]))]),
            (
                "m=a:x=1,y=2,n=b, b",
                &[
                    labelled("m", agent("a", &[("x", Some("1")), ("y", Some("2"))])),
                    labelled("n", agent("b", &[])),
                    agent("b", &[]),
                ],
            ),
            (
                r#"a:x="./bot 0, b:c=d",y=cuda:0,b:z=C:\m"#,
                &[
                    agent("a", &[("x", Some("./bot 0, b:c=d")), ("y", Some("cuda:0"))]),
                    agent("b", &[("z", Some(r"C:\m"))]),
                ],
            ),
            (r#"a:x="\"\\""#, &[agent("a", &[("x", Some(r#""\"#))])]),
        ];
        for (text, agents) in cases {
            assert_eq!(parse_list(text, starts).as_deref(), Ok(*agents), "{text}");
        }
    }

    #[test]
    fn a_broken_quotation_is_an_error() {
        for (text, message) in [
            (r#"b,a:x="1,2"#, r#"`a:x="1,2`: the closing quotation mark is missing"#),
            (r#"a:x="1"2,b"#, r#"`x="1"2`: expected a comma or the end after the closing quotation mark"#),
        ] {
            assert_eq!(parse_list(text, starts).unwrap_err(), message);
        }
    }

    #[test]
    fn quoted_values_parse_back() {
        for value in
            ["", "a", "a b", "a,b", r#"say "x""#, r"C:\m", r"C:\my models\", "a=\"b", " a", "a:b=c", "五"]
        {
            let text = format!("a:x={}", quoted(value));
            assert_eq!(parse_list(&text, starts), Ok(vec![agent("a", &[("x", Some(value))])]), "{text}");
        }
    }
}
