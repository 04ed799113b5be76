//! `fishplate cache list|clean|verify`

use clap::Subcommand;
use fishplate_cache::{CacheError, Clean, Listed, Settings, Store};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

const HELP: &str = "\
Linked graphs and what is compiled from strings are kept in $FISHPLATE_CACHE_DIR, by default \
`fishplate` in the user's folder for caches, and found there by every later process. It can be \
removed at any time; programs that run are not disturbed.";

/// Arguments of `cache`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Show what is in the cache, the last used first.
    List,
    /// Remove what is broken, what killed processes left, and what is over the limit of size.
    Clean {
        /// Remove also what was not used for so long: 12h, 30d, 8w.
        #[arg(long, value_name = "AGE", value_parser = age)]
        older_than: Option<Duration>,
        /// Remove everything.
        #[arg(long)]
        all: bool,
    },
    /// Read every file and compare it with its hash.
    Verify,
}

pub(crate) fn run(arguments: &Arguments, as_json: bool) -> bool {
    let done = open().and_then(|store| match arguments.what {
        What::List => list(&store, as_json),
        What::Clean { older_than, all } => clean(&store, Clean { all, older_than }, as_json),
        What::Verify => verify(&store, as_json),
    });
    done.unwrap_or_else(|error| {
        if as_json {
            crate::report::print_json(&json!({"ok": false, "problems": [error.to_string()]}));
        } else {
            anstream::eprintln!("error: {error}");
        }
        false
    })
}

fn open() -> Result<Store, CacheError> {
    Store::open(&Settings::read(|name| std::env::var_os(name))?)
}

fn list(store: &Store, as_json: bool) -> Result<bool, CacheError> {
    let mut entries = store.list()?;
    entries.sort_by_key(|listed| std::cmp::Reverse(listed.used));
    let size: u64 = entries.iter().map(|listed| listed.size).sum();
    if as_json {
        let entries: Vec<Value> = entries.iter().map(listed).collect();
        crate::report::print_json(&json!({
            "ok": true, "folder": store.folder(), "limit": store.limit(), "size": size,
            "entries": entries,
        }));
        return Ok(true);
    }
    let Some(folder) = store.folder() else {
        println!("nothing is kept: {}", store.not_kept().unwrap_or_default());
        return Ok(true);
    };
    println!(
        "{}, {} of {} in {}",
        counted(entries.len()),
        bytes(size),
        bytes(store.limit()),
        folder.display()
    );
    let now = SystemTime::now();
    for one in &entries {
        let name = one.folder.file_name().unwrap_or_default().to_string_lossy();
        let short: String = name.chars().take(12).collect();
        let what = match &one.entry {
            Ok(entry) => entry.about()["name"].as_str().unwrap_or_default().to_owned(),
            Err(error) => error.to_string(),
        };
        let days = now.duration_since(one.used).unwrap_or_default().as_secs() / (24 * 3600);
        let used = match days {
            0 => "today".to_owned(),
            1 => "1 day ago".to_owned(),
            _ => format!("{days} days ago"),
        };
        println!("{}", format!("  {short}  {:>9}  {used:<12}  {what}", bytes(one.size)).trim_end());
    }
    Ok(true)
}

fn clean(store: &Store, what: Clean, as_json: bool) -> Result<bool, CacheError> {
    let cleaned = store.clean(what)?;
    let problems: Vec<String> = cleaned.problems.iter().map(ToString::to_string).collect();
    if as_json {
        crate::report::print_json(&json!({
            "ok": problems.is_empty(), "removed": cleaned.removed, "bytes": cleaned.bytes,
            "left": cleaned.left, "problems": problems,
        }));
    } else {
        for problem in &problems {
            anstream::eprintln!("error: {problem}");
        }
        let removed = counted(cleaned.removed);
        println!("{removed} removed, {}; {} left", bytes(cleaned.bytes), bytes(cleaned.left));
    }
    Ok(problems.is_empty())
}

fn verify(store: &Store, as_json: bool) -> Result<bool, CacheError> {
    let verified = store.verify()?;
    let problems: Vec<String> = verified
        .iter()
        .filter_map(|one| one.entry.as_ref().err())
        .map(ToString::to_string)
        .collect();
    if as_json {
        crate::report::print_json(&json!({
            "ok": problems.is_empty(), "entries": verified.len(), "problems": problems,
        }));
    } else {
        for problem in &problems {
            anstream::eprintln!("error: {problem}");
        }
        match problems.len() {
            0 => println!("{}, all as they were made", counted(verified.len())),
            broken => println!(
                "{}, {broken} not as made; `fishplate cache clean` removes what is not",
                counted(verified.len())
            ),
        }
    }
    Ok(problems.is_empty())
}

fn listed(one: &Listed) -> Value {
    let seconds = |time: SystemTime| {
        time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
    };
    let mut value = json!({"folder": one.folder, "size": one.size, "used": seconds(one.used)});
    match &one.entry {
        Ok(entry) => {
            value["key"] = json!(entry.key());
            value["library"] = json!(entry.library());
            value["created"] = json!(seconds(entry.created()));
            value["version"] = json!(entry.version());
            value["about"] = entry.about().clone();
        }
        Err(error) => value["problem"] = json!(error.to_string()),
    }
    value
}

fn counted(entries: usize) -> String {
    if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") }
}

/// `512 B`, `16.2 KiB`.
fn bytes(bytes: u64) -> String {
    let mut amount = bytes as f64;
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if amount < 1024.0 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") }
}

/// `45m`, `12h`, `30d`, `8w`.
fn age(text: &str) -> Result<Duration, String> {
    let wanted = || format!("`{text}` is no age such as 12h, 30d or 8w");
    let unit = match text.chars().next_back() {
        Some('m') => 60,
        Some('h') => 3600,
        Some('d') => 24 * 3600,
        Some('w') => 7 * 24 * 3600,
        _ => return Err(wanted()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wanted())?;
    number.checked_mul(unit).map(Duration::from_secs).ok_or_else(wanted)
}
