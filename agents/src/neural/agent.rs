//! The agent `neural`.

use std::path::PathBuf;
use std::sync::Arc;

use jantaku_engine::{Action, ActionId, Rules};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};

use super::executor::{Inline, Job, Threaded};
use super::open::{ModelSettings, Numbers, open_model};
use super::policy::NeuralPolicy;
use super::sampling::{Probabilities, Sampling};
use super::{Evaluator as _, Manifest, OpenNetwork, Shared};
use crate::encode::{CHUNK, SuitOrder};
use crate::entry::{Built, Entry};
use crate::error::BuildError;
use crate::option::{AgentOption, OptionDefault, OptionKind, Options};
use crate::setup::USUAL_TABLES;
use crate::{Agent, AgentError, NamedPolicy, Reply, Request, SearchInfo, Setup, StartAgent};

pub(crate) const ENTRY: Entry = Entry {
    name: "neural",
    about: "a network: chooses among the legal actions by its policy",
    options: &[
        AgentOption {
            name: "model",
            kind: OptionKind::File,
            default: OptionDefault::Required,
            about: "file of the model, .safetensors or .pt; `uniform` gives all actions the same logit",
        },
        AgentOption::new("device", OptionKind::Text, "cpu", "where the network runs: cpu, cuda or cuda:N"),
        AgentOption::unset(
            "precision",
            OptionKind::Choice(&["f32", "int8", "bf16"]),
            "numbers that it computes with; by default f32, on CUDA bf16",
        ),
        AgentOption::unset(
            "temperature",
            OptionKind::Number(0.0..=100.0),
            "divides the logits before an action is drawn; 0, the default, plays the best one, and \
                    uniform has 1",
        ),
        AgentOption::new(
            "top-p",
            OptionKind::Number(0.0..=1.0),
            "1",
            "draws only from the most probable actions that together have this probability",
        ),
        AgentOption::new(
            "average-suits",
            OptionKind::SWITCH,
            "off",
            "averages the answers for all permutations of the suits, which takes up to six times as long",
        ),
        AgentOption::new(
            "rules",
            OptionKind::Choice(&["check", "any"]),
            "check",
            "whether games under other rules than those of the training are an error",
        ),
    ],
    build: |options, _| build(options),
};

fn build(options: &Options) -> Result<Built, BuildError> {
    let settings = ModelSettings {
        device: options.text("device").parse()?,
        precision: options.optional::<String>("precision").as_deref().and_then(Numbers::named),
    };
    let name = options.text("model");
    let opened = open_model(name, settings)?;
    let default_temperature = if opened.manifest.is_some() { 0.0 } else { 1.0 };
    let network = Network {
        evaluator: Shared::new(opened.evaluator),
        file: name.into(),
        manifest: opened.manifest,
        sampling: Sampling {
            temperature: options.optional("temperature").unwrap_or(default_temperature),
            top_p: options.value("top-p"),
        },
        averages_suits: options.is_on("average-suits"),
        checks_rules: options.text("rules") == "check",
    };
    Ok(Built::agent(Arc::new(network)).with_files(opened.files))
}

/// The number of decisions that a local evaluator gets at a time. For one thread, their inputs and outputs
/// take at most half a megabyte. Several threads wait for each other after each piece, so they get larger
/// ones.
fn piece() -> usize {
    match rayon::current_num_threads() {
        1 => CHUNK,
        threads => 8 * threads * CHUNK,
    }
}

/// A network that can be started. The agents that are started share its evaluator.
#[derive(Clone)]
pub(super) struct Network {
    evaluator: Shared,
    file: PathBuf,
    manifest: Option<Manifest>,
    sampling: Sampling,
    averages_suits: bool,
    checks_rules: bool,
}

impl Network {
    fn has_value(&self) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| manifest.heads.value.is_some())
    }
}

impl StartAgent for Arc<Network> {
    fn start(&self, name: &str, setup: &Setup) -> Result<Box<dyn Agent>, AgentError> {
        let inline = Inline::new(Box::new(self.evaluator.clone()));
        let executor = if self.evaluator.is_local() {
            Executor::Inline(Box::new(inline))
        } else {
            Executor::Threaded(Threaded::start(inline).map_err(|error| AgentError::Failed {
                agent: name.to_owned(),
                table: None,
                reason: format!("cannot start a thread for the network: {error}"),
            })?)
        };
        Ok(Box::new(Neural::new(name, self, executor, setup.search_info)))
    }

    fn policy(&self, name: &str) -> Option<NamedPolicy> {
        self.evaluator.share()?;
        Some(NamedPolicy::new(name, NeuralPolicy::new(name, self)))
    }

    fn is_deterministic(&self) -> bool {
        self.evaluator.is_deterministic()
    }

    fn check_rules(&self, rules: &Rules) -> Result<(), BuildError> {
        match self.manifest.as_ref().filter(|_| self.checks_rules) {
            Some(manifest) => Ok(manifest.check_rules(rules, &self.file)?),
            None => Ok(()),
        }
    }

    fn network(&self) -> Option<OpenNetwork> {
        Some(OpenNetwork { evaluator: Box::new(self.evaluator.clone()), has_value: self.has_value() })
    }

    /// A local network needs no large batches, and few games stay in the processor's caches.
    fn tables(&self) -> usize {
        let per_thread = 2048;
        if self.evaluator.is_local() {
            (per_thread * rayon::current_num_threads()).min(USUAL_TABLES)
        } else {
            USUAL_TABLES
        }
    }
}

/// The agent in play.
pub(super) struct Neural {
    name: String,
    network: Arc<Network>,
    pub(super) keeps_search_info: bool,
    executor: Executor,
    /// Batches whose memory can be used again.
    spare: Vec<Job>,
    /// The rules of the last batch, which were checked.
    rules: Option<Rules>,
    /// The permutations of the suits for these rules, if the answers are averaged.
    orders: Option<Arc<[SuitOrder]>>,
}

/// Where the batches are evaluated.
pub(super) enum Executor {
    /// On a thread of its own, which gets whole batches in [`Agent::begin`]; `decide` takes the outputs.
    Threaded(Threaded),
    /// On the caller's threads: `decide` evaluates a batch in pieces.
    Inline(Box<Inline>),
}

impl Neural {
    fn new(name: &str, network: &Arc<Network>, executor: Executor, keeps_search_info: bool) -> Neural {
        Neural {
            name: name.to_owned(),
            network: Arc::clone(network),
            keeps_search_info,
            executor,
            spare: Vec::new(),
            rules: None,
            orders: None,
        }
    }

    /// An agent for one thread at a time, of a network that can be shared. It does not check rules.
    ///
    /// # Panics
    ///
    /// If the network cannot be shared.
    pub(super) fn alone(name: &str, network: &Network) -> Neural {
        let evaluator = Shared::new(network.evaluator.share().expect("a network that can be shared"));
        let executor = Executor::Inline(Box::new(Inline::new(Box::new(evaluator.clone()))));
        let network = Network { evaluator, checks_rules: false, ..network.clone() };
        Neural::new(name, &Arc::new(network), executor, false)
    }

    fn failed(&self, reason: &dyn ToString) -> AgentError {
        AgentError::Failed { agent: self.name.clone(), table: None, reason: reason.to_string() }
    }

    /// Checks the rules and finds the permutations of the suits that they allow. All games of a
    /// batch have the same rules.
    fn check_rules(&mut self, rules: &Rules) -> Result<(), AgentError> {
        if self.rules.as_ref() == Some(rules) {
            return Ok(());
        }
        StartAgent::check_rules(&self.network, rules).map_err(|error| self.failed(&error))?;
        if self.network.averages_suits {
            self.orders = Some(SuitOrder::allowed(rules).collect());
        }
        self.rules = Some(*rules);
        Ok(())
    }

    /// Encodes decisions on rayon's threads. Their rules were checked.
    fn encoded(&mut self, requests: &[Request<'_>]) -> Job {
        let mut job = self.spare.pop().unwrap_or_else(|| Job::new(self.network.evaluator.encoder()));
        job.orders.clone_from(&self.orders);
        job.rows.encode(requests, |request| &request.observation);
        job.outputs.reset(requests.len());
        job
    }

    /// Chooses the actions on rayon's threads, from the outputs of the network.
    fn answer(
        &mut self,
        job: Job,
        requests: &mut [Request<'_>],
        replies: &mut Vec<Reply>,
    ) -> Result<(), AgentError> {
        let answers = Answers {
            agent: &self.name,
            sampling: self.network.sampling,
            has_value: self.network.has_value(),
            keeps_search_info: self.keeps_search_info,
        };
        let (policy, value) = (job.outputs.policy(), job.outputs.value());
        let policy = policy.as_slice().expect("the rows of outputs are contiguous").as_chunks().0;
        let reply = |(row, request): (usize, &mut Request<'_>)| -> Result<Reply, AgentError> {
            answers.reply(request, &policy[row], value[row])
        };
        if requests.len() <= CHUNK || rayon::current_num_threads() == 1 {
            for row in requests.iter_mut().enumerate() {
                replies.push(reply(row)?);
            }
        } else {
            let first = replies.len();
            replies.resize(first + requests.len(), Action::Pass.into());
            let pairs = requests.par_iter_mut().enumerate().zip(&mut replies[first..]);
            pairs.with_min_len(CHUNK).try_for_each(|(row, place)| {
                *place = reply(row)?;
                Ok(())
            })?;
        }
        self.spare.push(job);
        Ok(())
    }
}

/// How requests are answered from the outputs of the network.
struct Answers<'a> {
    agent: &'a str,
    sampling: Sampling,
    has_value: bool,
    keeps_search_info: bool,
}

impl Answers<'_> {
    /// The reply to a request from its row of the outputs.
    fn reply(
        &self,
        request: &mut Request<'_>,
        logits: &[f32; ActionId::COUNT],
        value: f32,
    ) -> Result<Reply, AgentError> {
        let legal = request.observation.legal();
        let logit = |id: ActionId| logits[usize::from(id.number())];
        let failed = |what: String| AgentError::Failed {
            agent: self.agent.to_owned(),
            table: Some(request.table),
            reason: format!(
                "the network answered {what} for a decision of seat {}; expected finite numbers. \
                 Train or export the model again",
                request.observation.seat()
            ),
        };
        let wrong = |id: ActionId| failed(format!("{} for {}", logit(id), id.action()));
        let (action, probability) = self.sampling.choose(logit, legal, &mut request.rng).map_err(wrong)?;
        if !self.keeps_search_info {
            return Ok(action.into());
        }
        let policy = Probabilities::new(logit, legal, 1.0).map_err(wrong)?;
        if self.has_value && !value.is_finite() {
            return Err(failed(format!("the value {value}")));
        }
        let search_info = SearchInfo {
            value: self.has_value.then_some(value),
            policy: Some(policy.values().iter().map(|probability| *probability as f32).collect()),
            probability: Some(probability as f32),
            action_values: None,
        };
        Ok(Reply { search_info: Some(Box::new(search_info)), ..action.into() })
    }
}

impl Agent for Neural {
    /// Encodes the decisions on rayon's threads and hands them to the network's thread, if it has
    /// one.
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        let Some(first) = requests.first() else { return Ok(()) };
        self.check_rules(first.observation.rules())?;
        if matches!(self.executor, Executor::Threaded(_)) {
            let job = self.encoded(requests);
            if let Executor::Threaded(threaded) = &mut self.executor {
                threaded.give(job);
            }
        }
        Ok(())
    }

    /// Takes the outputs from the network and chooses the actions on rayon's threads.
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        let begun_rows = match &self.executor {
            Executor::Threaded(threaded) => threaded.first(),
            Executor::Inline(_) => None,
        };
        match begun_rows {
            None => self.begin(requests)?,
            Some(rows) if rows == requests.len() => {}
            Some(rows) => {
                return Err(
                    self.failed(&format!("`begin` got {rows} decisions, `decide` got {}", requests.len()))
                );
            }
        }
        if let Executor::Threaded(threaded) = &mut self.executor {
            let taken = threaded.take();
            let job = taken.map_err(|error| self.failed(&error))?;
            return self.answer(job, requests, replies);
        }
        requests.chunks_mut(piece()).try_for_each(|requests| {
            let mut job = self.encoded(requests);
            if let Executor::Inline(inline) = &mut self.executor {
                let evaluated = inline.evaluate(&mut job);
                evaluated.map_err(|error| self.failed(&error))?;
            }
            self.answer(job, requests, replies)
        })
    }

    fn is_deterministic(&self) -> bool {
        self.network.evaluator.is_deterministic()
    }
}
